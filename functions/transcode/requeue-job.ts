import { retryUntil } from '../../core/async/retry-until.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import type { JobPorts } from '../../core/worker/ports.ts';

/** SQS delays no message for longer. Reconcile sends that of a job that waits longer. */
const maxDelaySeconds = 900;

/**
 * Requeues a job under the lease of its worker and sends its message after a delay. If no message is sent, reconcile sends
 * it. `lost`: the worker does not hold the lease any more.
 */
export async function requeueJob(
  { jobs, queue, clock, onUnexpected }: JobPorts,
  job: JobIn<'processing'>,
  { change, delaySeconds }: { change: JobChange<JobIn<'queued'>>; delaySeconds: number },
): Promise<'requeued' | 'lost'> {
  const { written } = await retryUntil(clock, new Date(job.dueAt), () => jobs.write(change));
  if (!written) return 'lost';
  if (delaySeconds <= maxDelaySeconds)
    await queue.send(job, { delaySeconds }).catch((cause: unknown) => onUnexpected(job, cause));
  return 'requeued';
}
