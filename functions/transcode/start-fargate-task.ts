import { delegateToFargate } from '../../core/jobs/fargate-transitions.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import type { FargateTasks } from '../worker/worker-deps.ts';
import { type DelegateDeps, delegateJob } from './delegate-job.ts';

/**
 * Delegates a job to an execution that runs it as a Fargate task.
 * @param reason why no function can end the job
 */
export async function startFargateTask(
  deps: DelegateDeps & { fargate: Pick<FargateTasks, 'machine'> },
  job: JobIn<'processing'>,
  reason: string,
): Promise<'delegated' | 'lost'> {
  const { clock, fargate } = deps;
  const { ownerId, jobId, leaseId, attempt } = job;
  const execution = `${jobId}-${attempt}`;
  return delegateJob(deps, job, {
    record: (current) => delegateToFargate(current, { execution, reason, now: clock.now() }),
    start: () => fargate.machine.start({ name: execution, input: { ownerId, jobId, leaseId } }),
  });
}
