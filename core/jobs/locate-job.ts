import { jobCreatedAt } from './job-id.ts';
import type { Clock, JobTable } from './ports.ts';
import type { JobIn } from './record.ts';
import { defaultPriority } from './request-limits.ts';
import { estimateStart, type LinePosition, sampledStarts, startFromLine } from './start-estimate.ts';

export type LocateJobDeps = {
  jobs: Pick<JobTable, 'waiting' | 'list' | 'countWaiting'>;
  clock: Pick<Clock, 'now'>;
};

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
): Promise<LinePosition> {
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
  const starts = page.jobs.map((job) => startFromLine(job, queue)).filter((start) => start !== undefined);
  const first = oldest[0]?.jobId ?? jobId;
  const since = jobCreatedAt(first < jobId ? first : jobId);
  const start = estimateStart({ position, starts, since, now: clock.now() });
  // Whole seconds: the estimate is no more exact, and the ETag does not change at each read.
  const estimatedStartAt = start && new Date(Math.ceil(start.getTime() / 1_000) * 1_000).toISOString();
  return { position, estimatedStartAt };
}
