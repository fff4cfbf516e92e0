import { delegateToWorker } from '../../core/jobs/delegation-transitions.ts';
import { messageGroup } from '../../core/jobs/message-groups.ts';
import type { JobIn, OtherWorkerChoice } from '../../core/jobs/record.ts';
import { workersOfOwner } from '../../core/jobs/slots.ts';
import type { OtherWorker } from '../worker/worker-deps.ts';
import { type DelegateDeps, delegateJob } from './delegate-job.ts';

/**
 * Delegates a job to an execution that runs it on another worker. In the queue of such a worker an owner has as many message
 * groups as its share: its jobs leave some of the workers to other owners.
 */
export async function startOtherWorker(
  deps: DelegateDeps,
  job: JobIn<'processing'>,
  {
    machine,
    maxConcurrency,
    otherWorker,
  }: Pick<OtherWorker, 'machine' | 'maxConcurrency'> & { otherWorker: OtherWorkerChoice },
): Promise<'delegated' | 'lost'> {
  const { clock } = deps;
  const { ownerId, jobId, leaseId, attempt } = job;
  const execution = `${jobId}-${attempt}`;
  const group = maxConcurrency && { group: messageGroup(job, 0, workersOfOwner(maxConcurrency)) };
  return delegateJob(deps, job, {
    record: (current) => delegateToWorker(current, { execution, otherWorker, now: clock.now() }),
    start: () => machine.start({ name: execution, input: { ownerId, jobId, leaseId, ...group } }),
  });
}
