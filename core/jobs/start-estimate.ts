import { economyQueue, longJobsQueue } from './queues.ts';
import type { Job } from './record.ts';

/** Where a job waits among its owner's jobs of one queue, from 1. Without an estimate their pace is unknown. */
export type LinePosition = { position: number; estimatedStartAt?: string };

/** Starts from which the pace of a line is measured: the latest ones, so that it follows a change. */
export const sampledStarts = 20;
const minStarts = 4;

/**
 * The estimated start of a waiting job: its position times the mean interval between the latest starts, from the last
 * start. If the next start is late, the interval includes the time since the last one. Undefined with fewer than four
 * starts since the line formed: the pace is unknown.
 *
 * @param starts Unix milliseconds of jobs that were claimed from the line, in any order
 * @param since when the oldest waiting job was created: earlier starts are from a time without a line
 */
export function estimateStart({
  position,
  starts,
  since,
  now,
}: {
  position: number;
  starts: readonly number[];
  since: Date;
  now: Date;
}): Date | undefined {
  const latest = starts
    .filter((start) => start >= since.getTime())
    .sort((one, other) => other - one)
    .slice(0, sampledStarts);
  const [newest] = latest;
  const oldest = latest.at(-1);
  if (newest === undefined || oldest === undefined || latest.length < minStarts) return undefined;
  const nowMs = now.getTime();
  const intervalMs = Math.max((newest - oldest) / (latest.length - 1), (nowMs - oldest) / latest.length);
  return new Date(Math.max(nowMs, newest + position * intervalMs));
}

/** A job that was claimed sooner met a free worker: its start does not count for the pace of the line. */
const minWaitMs = 1_000;

/**
 * The time at which a job was claimed from a queue, in Unix milliseconds. Undefined if it was not claimed
 * from this line, or did not wait. A long job may have been claimed twice: from the line of short jobs and from that of
 * long ones.
 */
export function startFromLine(
  { createdAt, startedAt, claimedAt, queue: queueOfJob, attempt }: Job,
  queue: Job['queue'],
): number | undefined {
  const isOther = queue !== queueOfJob && (queue !== undefined || queueOfJob === economyQueue);
  const isSecond = queue === longJobsQueue && attempt < 2;
  const claimed = queue === undefined ? startedAt : claimedAt;
  if (claimed === undefined || isOther || isSecond) return undefined;
  const start = Date.parse(claimed);
  return start - Date.parse(createdAt) < minWaitMs ? undefined : start;
}
