import { isEconomy } from './economy.ts';
import type { TranscodeQueue } from './ports.ts';
import type { JobIn } from './record.ts';

/** Sends the message of a queued job. An economy job has none: the pool finds it in the index. */
export async function wakeWorker(
  queue: TranscodeQueue,
  job: JobIn<'queued'>,
  options?: Parameters<TranscodeQueue['send']>[1],
): Promise<void> {
  const { ownerId, jobId } = job;
  if (!isEconomy(job)) await queue.send({ ownerId, jobId }, options);
}
