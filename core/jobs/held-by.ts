import type { JobIn, JobRecord } from './record.ts';

/** Whether a record is that of a job under this lease: its worker, or its parts, may go on. */
export function holdsLease(leaseId: string, job: JobRecord | undefined): job is JobIn<'processing'> {
  return job?.state === 'processing' && job.leaseId === leaseId;
}
