import { delegateToWorker } from '../../core/jobs/delegation-transitions.ts';
import type { JobIn, OtherWorkerChoice } from '../../core/jobs/record.ts';
import type { FargateWorker } from '../../core/worker/worker-deps.ts';
import { type DelegateDeps, delegateJob } from './delegate-job.ts';

/** Delegates a job to an execution that runs it as a Fargate task. */
export async function startFargateTask(
  deps: DelegateDeps,
  job: JobIn<'processing'>,
  { machine, otherWorker }: Pick<FargateWorker, 'machine'> & { otherWorker: OtherWorkerChoice },
): Promise<'delegated' | 'lost'> {
  const { ownerId, jobId, leaseId, attempt } = job;
  const execution = `${jobId}-${attempt}`;
  return delegateJob(deps, job, {
    record: (current) => delegateToWorker(current, { execution, otherWorker, now: deps.clock.now() }),
    start: () => machine.start({ name: execution, input: { ownerId, jobId, leaseId } }),
  });
}
