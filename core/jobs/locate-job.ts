import { jobCreatedAt } from './job-id.ts';
import type { Clock, JobTable } from './ports.ts';
import { economyQueue, longJobsQueue } from './queues.ts';
import type { Job, JobIn } from './record.ts';
import { defaultPriority } from './request-limits.ts';

export type LocateJobDeps = { jobs: Pick<JobTable, 'waiting' | 'list' | 'countWaiting'>; clock: Pick<Clock, 'now'> };

/** Jobs ahead are counted up to this number: a client that polls must not read a backlog of any length each time. */
const maxAhead = 1_000;

/** An owner's jobs start in the order of their creation, except that a job may be overtaken by up to this many. */
const maxOvertaken = 10;

/**
 * The position of a queued job behind its owner's jobs of the same queue that go first, and its estimated start by the
 * pace at which those were claimed. Behind 1,000 jobs or more the position is 1,001, without an estimate.
 */
export async function locateJob(
  { jobs, clock }: LocateJobDeps,
  { ownerId, jobId, queue, notBefore, request: { priority = defaultPriority } }: JobIn<'queued'>,
): Promise<QueuePosition> {
  // It waits for a host, and for no worker.
  if (notBefore !== undefined) return { position: 1, estimatedStartAt: notBefore };
  const [ahead, oldest] = await Promise.all([
    jobs.countWaiting({ ownerId, queue, limit: maxAhead, ahead: { ownerId, jobId, priority } }),
    jobs.waiting({ ownerId, queue, limit: maxOvertaken }),
  ]);
  const position = ahead + 1;
  if (ahead === maxAhead) return { position };
  // The jobs that were created just before the oldest waiting ones were claimed last. One read, however many were deleted.
  const afterJobId = oldest.at(-1)?.jobId ?? jobId;
  const page = await jobs.list({ ownerId, limit: sampledStarts + maxOvertaken, afterJobId, maxReads: 1 });
  const starts = page.jobs.map((job) => startFromQueue(job, queue)).filter((start) => start !== undefined);
  const first = oldest[0]?.jobId ?? jobId;
  const since = jobCreatedAt(first < jobId ? first : jobId);
  const start = estimateStart({ position, starts, since, now: clock.now() });
  // Whole seconds: the estimate is no more exact, and the ETag does not change at each read.
  const estimatedStartAt = start && new Date(Math.ceil(start.getTime() / 1_000) * 1_000).toISOString();
  return { position, estimatedStartAt };
}

/** Where a job waits among its owner's jobs of one queue, from 1. Without an estimate their pace is unknown. */
export type QueuePosition = { position: number; estimatedStartAt?: string };

/** Starts from which the pace of a queue is measured: the latest ones, so that it follows a change. */
const sampledStarts = 20;
const minStarts = 4;

/**
 * The estimated start of a waiting job: its position times the mean interval between the latest starts, from the last
 * start. If the next start is late, the interval includes the time since the last one. Undefined with fewer than four
 * starts since jobs wait: the pace is unknown.
 *
 * @param starts Unix milliseconds of jobs that were claimed from the queue, in any order
 * @param since when the oldest waiting job was created: earlier starts are from a time when none waited
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

/** A job that was claimed sooner met a free worker: its start does not count for the pace of the queue. */
const minWaitMs = 1_000;

/**
 * The time at which a job was claimed from a queue, in Unix milliseconds. Undefined if it was not claimed
 * from it, or did not wait. A long job may have been claimed twice: from the queue of short jobs and from that of
 * long ones.
 */
export function startFromQueue(
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
