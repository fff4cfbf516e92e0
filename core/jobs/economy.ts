import { addMs } from './durations.ts';
import { batchJobsQueue, economyQueue, type NamedQueue } from './queues.ts';
import type { JobIn } from './record.ts';
import type { JobRequestRecord } from './request-record.ts';

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
