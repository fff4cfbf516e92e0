import { delegateToFargate, takeOverAsFargateTask } from '../../../core/jobs/fargate-transitions.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { aProcessingJob, later } from './jobs.ts';

type Choice = Partial<JobIn<'processing'>>;

/** A job that its worker delegated to the execution `fargate-1` six seconds after its creation. */
export function aDelegatedFargateJob(choice: Choice = {}): JobIn<'processing'> {
  const delegation = { execution: 'fargate-1', reason: 'A Fargate task encodes it', now: later(6_000) };
  return delegateToFargate({ ...aProcessingJob(), ...choice }, delegation).job;
}

/** Such a job whose task has taken it over a minute after its creation. */
export function aFargateJob(choice: Choice = {}): JobIn<'processing'> {
  return takeOverAsFargateTask(aDelegatedFargateJob(choice), { leaseId: 'task-lease', now: later(60_000) })
    .job;
}
