import type { ConcurrencyLimits } from '../concurrency-limit.ts';
import { addMs, durations } from './durations.ts';
import type { Clock, JobTable, TranscodeQueue } from './ports.ts';
import { batchJobsQueue, economyQueue, type LimitedQueue, type NamedQueue, partsOfLimit } from './queues.ts';
import type { JobIn } from './record.ts';
import type { JobRequestRecord } from './request-record.ts';
import { entryName, type RunningEntry, type RunningLimit } from './running-limit.ts';

/** The queue of jobs, and what limits how many of them run at the same time. */
export type JobQueue = TranscodeQueue & {
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

const hourMs = 3_600_000;

/** An economy job without `finishBy` that waits so long after its creation fails. */
export const maxEconomyWaitMs = 72 * hourMs;

/** Maximum of the time before `finishBy` that is kept for standard workers: more than the chunks of a long film take. */
const maxStandardMs = 2 * hourMs;

/** Seconds for which a task of the pool claims jobs. The last ones have their hours besides. */
export const poolClaimSeconds = 6 * 3600;

export function firstQueueOf({ speed }: Pick<JobRequestRecord, 'speed'>, job: Batched = {}): { queue?: NamedQueue } {
  return speed === 'economy' ? { queue: economyQueue } : standardQueueOf(job);
}

type Batched = Pick<JobIn<'queued'>, 'batch'>;

/** The queue of a job that is neither known to be long nor for the pool. */
export function standardQueueOf({ batch }: Batched): { queue?: NamedQueue } {
  return batch === undefined ? {} : { queue: batchJobsQueue };
}

/** Whether a job waits for the pool, or runs there. */
export function isEconomy({ queue }: { queue?: NamedQueue | undefined }): boolean {
  return queue === economyQueue;
}

type Waiting = Pick<JobIn<'queued'>, 'request' | 'createdAt'>;

/**
 * When an economy job that still waits leaves the pool: for standard workers, while half of the time to its `finishBy` is left
 * or two hours; without `finishBy` for its end.
 */
export function leavesPoolAt({ request: { finishBy }, createdAt }: Waiting): string {
  if (finishBy === undefined) return addMs(new Date(createdAt), maxEconomyWaitMs);
  const end = Date.parse(finishBy);
  return addMs(new Date(end), -Math.min(maxStandardMs, Math.max(0, end - Date.parse(createdAt)) / 2));
}
