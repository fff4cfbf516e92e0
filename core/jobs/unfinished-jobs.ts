import { afterEveryId, firstIdAfter, minJobIdAt } from './job-id.ts';
import type { JobListing, JobPage, JobTable, ListOrder, OwnWaitingQuery } from './ports.ts';
import { type QueueName, queueNames } from './queues.ts';
import type { Job, JobIn } from './record.ts';
import type { RunningLimit } from './running-limit.ts';
import type { UnfinishedState } from './states.ts';
import { asUnreadable, UnreadableJobError } from './unreadable-job-error.ts';

/**
 * The unfinished jobs of an owner. No index lists them by state, since each of its entries would be written twice: queued
 * jobs are in the index `waiting`, and every processing job counts under the limit of running ones.
 */
export type UnfinishedJobsDeps = {
  jobs: Pick<JobTable, 'get' | 'waitingIds' | 'countWaiting'>;
  running: Pick<RunningLimit, 'jobs'>;
};

type Range = Omit<OwnWaitingQuery, 'queue'>;

/** The ids of an owner's queued jobs, newest first by default. May be seconds stale. */
export async function queuedIds({ jobs }: UnfinishedJobsDeps, range: Range): Promise<string[]> {
  const found = await Promise.all(queueNames.map((queue) => jobs.waitingIds({ ...range, queue })));
  return inOrder(found.flat(), range.order).slice(0, range.limit);
}

/** The processing jobs of an owner, newest first. Throws UnreadableJobError. */
export async function processingJobs(
  deps: UnfinishedJobsDeps,
  range: Omit<Range, 'limit'>,
): Promise<JobIn<'processing'>[]> {
  const { jobs, unreadable } = await readJobs(deps, range.ownerId, await runningIds(deps, range));
  for (const error of unreadable) throw error;
  return jobs.filter((job) => job.state === 'processing');
}

/** The ids of an owner's jobs that count as running. A crash may leave an ended job among them. */
async function runningIds(
  { running }: UnfinishedJobsDeps,
  { ownerId, before = afterEveryId, from = '', order }: Omit<Range, 'limit'>,
): Promise<string[]> {
  const ids = await running.jobs(ownerId);
  return inOrder(
    ids.filter((jobId) => jobId < before && jobId >= from),
    order,
  );
}

/** Counts the queued jobs of an owner, at most `limit`, in all queues or in these. */
export async function countQueued(
  { jobs }: Pick<UnfinishedJobsDeps, 'jobs'>,
  { queues = queueNames, ...query }: { ownerId: string; limit: number; queues?: readonly QueueName[] },
): Promise<number> {
  const counts = await Promise.all(queues.map((queue) => jobs.countWaiting({ ...query, queue })));
  return Math.min(
    query.limit,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

/** A page of the queued or the processing jobs of an owner, in the order of their creation. */
export async function listUnfinished(
  deps: UnfinishedJobsDeps,
  state: UnfinishedState,
  { ownerId, limit, afterJobId, createdAfter, createdBefore, order }: Omit<JobListing, 'state'>,
): Promise<JobPage> {
  const period = { from: createdAfter && minJobIdAt(createdAfter), before: createdBefore && minJobIdAt(createdBefore) };
  const range = continuedAfter(afterJobId, { ownerId, limit: limit + 1, order, ...period });
  const jobs: Job[] = [];
  const unreadable: UnreadableJobError[] = [];
  for await (const ids of state === 'queued' ? queuedBatches(deps, range) : runningBatches(deps, range)) {
    const found = await readJobs(deps, ownerId, ids);
    // The index and the limit may name a job whose state has changed since.
    jobs.push(...found.jobs.filter((job) => job.state === state));
    unreadable.push(...found.unreadable);
    if (jobs.length > limit) break;
  }
  // One job more than the page has tells whether there is a next page.
  const page = jobs.slice(0, limit);
  return { jobs: page, lastJobId: jobs.length > limit ? page.at(-1)?.jobId : undefined, unreadable };
}

async function* queuedBatches(deps: UnfinishedJobsDeps, range: Range): AsyncGenerator<string[]> {
  let ids = await queuedIds(deps, range);
  yield ids;
  while (ids.length === range.limit) {
    ids = await queuedIds(deps, continuedAfter(ids.at(-1), range));
    yield ids;
  }
}

function continuedAfter(jobId: string | undefined, range: Range): Range {
  if (jobId === undefined) return range;
  return range.order === 'asc' ? { ...range, from: firstIdAfter(jobId) } : { ...range, before: jobId };
}

/** An owner may have thousands of running jobs: a page reads the records of its own only. */
async function* runningBatches(deps: UnfinishedJobsDeps, range: Range): AsyncGenerator<string[]> {
  const ids = await runningIds(deps, range);
  for (let start = 0; start < ids.length; start += range.limit) yield ids.slice(start, start + range.limit);
}

/** Reads jobs by their ids, in that order, without deleted ones. */
export async function readJobs(
  { jobs }: { jobs: Pick<JobTable, 'get'> },
  ownerId: string,
  jobIds: readonly string[],
): Promise<Omit<JobPage, 'lastJobId'>> {
  const found = await Promise.all(
    jobIds.map((jobId) => jobs.get({ ownerId, jobId }, { mayBeStale: true }).catch(asUnreadable)),
  );
  const unreadable = found.filter((job) => job instanceof UnreadableJobError);
  const readable = found.flatMap((job) => (job instanceof UnreadableJobError || job === undefined ? [] : job));
  return { jobs: readable.filter((job) => job.state !== 'deleted'), unreadable };
}

export function inOrder(jobIds: readonly string[], order: ListOrder = 'desc'): string[] {
  return jobIds.toSorted((one, other) => (one < other === (order === 'asc') ? -1 : 1));
}
