import { delegateToWorker, takeOverJob } from '../../../core/jobs/execution-transitions.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { aProcessingJob, later } from './jobs.ts';

type Choice = Partial<JobIn<'processing'>>;

/** A job that its worker delegated to the execution `other-1` six seconds after its creation. */
export function aDelegatedJob(choice: Choice = {}): JobIn<'processing'> {
  const otherWorker = { name: 'fargate', reason: 'Another worker encodes it' } as const;
  const delegation = { execution: 'other-1', otherWorker, now: later(6_000) };
  return delegateToWorker({ ...aProcessingJob(), ...choice }, delegation).job;
}

/** Such a job that its worker has taken over a minute after its creation. */
export function aTakenOverJob(choice: Choice = {}): JobIn<'processing'> {
  return takeOverJob(aDelegatedJob(choice), { leaseId: 'task-lease', now: later(60_000) }).job;
}
