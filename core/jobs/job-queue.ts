import type { ConcurrencyLimits } from '../concurrency-limit.ts';
import { addMs, durations } from './durations.ts';
import { isEconomy } from './economy.ts';
import type { Clock, JobTable, TranscodeQueue } from './ports.ts';
import { type LimitedQueue, partsOfLimit } from './queues.ts';
import type { JobIn } from './record.ts';
import { entryName, type RunningEntry, type RunningLimit } from './running-limit.ts';

/** The queue of jobs, and what limits how many of them run at the same time. */
export type JobQueue = TranscodeQueue & {
  /** The running jobs of each owner. */
  running: RunningLimit;
  /** The running jobs of limited queues, of all owners. */
  long: ConcurrencyLimits;
  /** Running jobs of one owner at most. */
  maxRunningJobs: number;
  /** The jobs that the stage processes at the same time, of all owners. */
  workers: number;
};

/**
 * Counts an attempt as one at a job of a limited queue; false if as many run as may run. It counts until it leaves, or
 * until no worker of it can run any more.
 */
export async function enterLimit(
  { queue: { long, workers }, clock }: { queue: JobQueue; clock: Clock },
  entry: RunningEntry,
  { limited, shortWaits }: { limited: LimitedQueue; shortWaits: boolean },
): Promise<boolean> {
  const now = clock.now();
  const name = entryName(entry);
  const endsAt = new Date(addMs(now, durations.sweepAfterClaimMs));
  for (const { limit, max } of partsOfLimit(limited, { workers, shortWaits }, name)) {
    if (await long.enter({ limit, name, endsAt }, { max, now })) return true;
  }
  return false;
}

/** Counts an attempt no longer, if it did, and wakes a worker for a waiting job of the queue. */
export async function leaveLimit(
  { jobs, queue }: { jobs: { waiting: JobTable['waiting'] }; queue: JobQueue },
  entry: RunningEntry,
  limited: LimitedQueue,
): Promise<void> {
  if (!(await freeEntry(queue, entry, limited))) return;
  const [next] = await jobs.waiting({ queue: limited, limit: 1 });
  if (next !== undefined) await queue.send(next);
}

/** Counts an attempt no longer, without a message; false if it did not count. */
export async function freeEntry(
  { long, workers }: JobQueue,
  entry: RunningEntry,
  limited: LimitedQueue,
): Promise<boolean> {
  const name = entryName(entry);
  for (const { limit } of partsOfLimit(limited, { workers, shortWaits: false }, name)) {
    if (await long.leave({ limit, name })) return true;
  }
  return false;
}

/** Sends the message of a queued job. An economy job has none: the pool finds it in the index. */
export async function wakeWorker(
  queue: TranscodeQueue,
  job: JobIn<'queued'>,
  options?: Parameters<TranscodeQueue['send']>[1],
): Promise<void> {
  const { ownerId, jobId } = job;
  if (!isEconomy(job)) await queue.send({ ownerId, jobId }, options);
}
