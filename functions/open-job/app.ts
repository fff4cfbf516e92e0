import type { JobRef } from '../../core/jobs/ports.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import { isFileOf } from '../../core/jobs/stored-file.ts';
import type { OpenJobRequest } from '../../core/worker/open-job.ts';
import type { ClaimPorts } from '../../core/worker/ports.ts';
import { claimEconomyJob, claimNextJob } from './claim-job.ts';

export type OpenJobPorts<Credentials> = ClaimPorts & {
  /** Credentials for one owner and one job, for an hour. */
  assume(job: JobRef & { retriedJobId: string | undefined }): Promise<Credentials>;
};

/**
 * Gives a worker a job and the credentials for it: the next one of the queue, which it claims, or one whose lease the worker
 * or its execution holds. Undefined if there is none, or if the lease is lost.
 */
export async function openJob<Credentials>(
  ports: OpenJobPorts<Credentials>,
  request: OpenJobRequest,
): Promise<{ job: JobIn<'processing'>; credentials: Credentials } | undefined> {
  const job = await claimOrFind(ports, request);
  if (job === undefined) return undefined;
  const { ownerId, jobId } = job;
  return { job, credentials: await ports.assume({ ownerId, jobId, retriedJobId: retriedJobOf(job) }) };
}

/** The job whose files a retry reads: those that were not published, or outputs that it takes over and has not copied yet. */
function retriedJobOf(job: JobIn<'processing'>): string | undefined {
  const { result, intermediates = {} } = job.completedSteps ?? {};
  const kept = [...Object.values(result?.files ?? {}), ...Object.values(intermediates)];
  return job.unpublished?.jobId ?? kept.find((file) => !isFileOf(job, file))?.key.split('/')[1];
}

function claimOrFind(ports: ClaimPorts, request: OpenJobRequest): Promise<JobIn<'processing'> | undefined> {
  if ('message' in request) return claimNextJob(ports, request.message);
  return 'pool' in request ? claimEconomyJob(ports, request.pool) : leasedJob(ports, request.lease);
}

async function leasedJob(
  { jobs }: ClaimPorts,
  { leaseId, ...ref }: JobRef & { leaseId: string },
): Promise<JobIn<'processing'> | undefined> {
  const job = await jobs.get(ref);
  return holdsLease(leaseId, job) ? job : undefined;
}
