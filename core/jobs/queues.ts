import { crc32 } from 'node:zlib';

/**
 * The queue of jobs that hold a worker for minutes. A job in no named queue is short, or was not probed yet: a probe
 * takes seconds.
 */
export const longJobsQueue = 'long';

/** The queue of economy jobs, which the tasks of the pool take. They have no messages. */
export const economyQueue = 'economy';

/** The queue of jobs of batches, which come after all others. */
export const batchJobsQueue = 'batch';

/** A queue of which only so many jobs hold a worker, of all owners. */
export type LimitedQueue = typeof longJobsQueue | typeof batchJobsQueue;

/** The limited queue of a job, if it is in one. */
export function limitedQueueOf({ queue }: { queue?: NamedQueue | undefined }): LimitedQueue | undefined {
  return queue === longJobsQueue || queue === batchJobsQueue ? queue : undefined;
}

/** The capacity of a task of the pool: Spot, or on demand where the pool falls back to it. */
export const poolCapacities = ['spot', 'on-demand'] as const;

export type PoolCapacity = (typeof poolCapacities)[number];

/** The queue of jobs that wait for a host and not for a worker, see `requeueForHost`. No worker claims from it. */
export const laterJobsQueue = 'later';

/** The queue in which a record keeps its job; undefined for short jobs. */
export type NamedQueue = typeof longJobsQueue | typeof economyQueue | typeof batchJobsQueue;

/** A queue in the index of queued jobs: of short jobs, one with a name, or of those that no worker may claim yet. */
export type QueueName = NamedQueue | typeof laterJobsQueue | undefined;

/** The queue of a queued job. */
export function queueOf({ queue, notBefore }: { queue?: NamedQueue; notBefore?: string }): QueueName {
  return notBefore === undefined ? queue : laterJobsQueue;
}

export const queueNames: readonly QueueName[] = [
  undefined,
  longJobsQueue,
  economyQueue,
  batchJobsQueue,
  laterJobsQueue,
];

/** A job that its worker expects to take longer than this is long. */
export const longAfterSeconds = 60;

/** A job that has held its worker for this time is long, whatever was expected. */
export const maxShortSeconds = 120;

/** Upper bound of the lag of an index behind the table. */
export const maxIndexLagSeconds = 15;

const minWorkersForReserve = 4;

/**
 * The workers that long jobs may hold: three quarters, so that short ones find a free worker soon. Of fewer than four
 * workers none is kept free: long jobs leave one to the short ones only while some wait.
 */
export function workersOfLongJobs(workers: number, { shortWaits }: { shortWaits: boolean }): number {
  if (workers >= minWorkersForReserve) return threeQuarters(workers);
  return shortWaits ? Math.max(1, workers - 1) : workers;
}

/** Four fifths of the workers, of an owner's running jobs or of its chunks: what batches may hold. The rest is for other jobs. */
export function limitOfBatches(count: number): number {
  return Math.max(1, Math.floor((count * 4) / 5));
}

/** The limit of a queue is divided into parts, one item each, so that one item does not take all writes. */
const minParts = 4;

/** Maximum entries in the item of a part, which then has 9 KB. */
const maxEntriesPerPart = 188;

/**
 * Divides the limit of a queue into parts, in the order in which an attempt tries them: each begins with another one. A
 * small stage has fewer parts. No owner id starts with `#`, so no owner has their partitions.
 */
export function partsOfLimit(
  queue: LimitedQueue,
  { workers, shortWaits }: { workers: number; shortWaits: boolean },
  name = '',
): { limit: string; max: number }[] {
  const max = queue === batchJobsQueue ? limitOfBatches(workers) : workersOfLongJobs(workers, { shortWaits });
  const count = Math.max(minParts, Math.ceil(max / maxEntriesPerPart));
  const parts = Array.from({ length: count }, (_, index) => ({
    limit: `#${queue}-${index}`,
    max: partOfLimit(max, index, count),
  })).filter((each) => each.max > 0);
  const first = crc32(name) % parts.length;
  return [...parts.slice(first), ...parts.slice(0, first)];
}

/** Three quarters of the workers, rounded down: the limit of one owner, or of all long jobs. The rest is for others. */
export function threeQuarters(workers: number): number {
  return Math.floor((workers * 3) / 4);
}

/** Divides a limit into `count` parts that add up to `max`, and returns the one with this number, from 0. */
export function partOfLimit(max: number, part: number, count: number): number {
  return Math.floor(max / count) + (part < max % count ? 1 : 0);
}
