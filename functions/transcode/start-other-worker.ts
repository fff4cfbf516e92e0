import { delegateToWorker } from '../../core/jobs/delegation-transitions.ts';
import type { JobIn, OtherWorker } from '../../core/jobs/record.ts';
import type { WholeJobWorker } from '../worker/worker-deps.ts';
import { type DelegateDeps, delegateJob } from './delegate-job.ts';

/** Delegates a job to an execution that runs it on another worker. */
export async function startOtherWorker(
  deps: DelegateDeps,
  job: JobIn<'processing'>,
  { machine, otherWorker }: Pick<WholeJobWorker, 'machine'> & { otherWorker: OtherWorker },
): Promise<'delegated' | 'lost'> {
  const { clock } = deps;
  const { ownerId, jobId, leaseId, attempt } = job;
  const execution = `${jobId}-${attempt}`;
  return delegateJob(deps, job, {
    record: (current) => delegateToWorker(current, { execution, otherWorker, now: clock.now() }),
    start: () => machine.start({ name: execution, input: { ownerId, jobId, leaseId } }),
  });
}
