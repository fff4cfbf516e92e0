import { minJobIdAt } from '../../core/jobs/job-id.ts';
import { longLane } from '../../core/jobs/lanes.ts';
import type { JobListing, JobPage, JobTable, OwnWaitingQuery } from '../../core/jobs/ports.ts';
import type { Job, JobIn } from '../../core/jobs/record.ts';
import type { RunningSlots } from '../../core/jobs/slots.ts';
import type { UnfinishedState } from '../../core/jobs/states.ts';

/**
 * The unfinished jobs of an owner. No index lists them by state, since each of its entries would be written twice: queued
 * jobs are in the index `waiting`, and every processing job has a slot.
 */
export type UnfinishedJobsDeps = {
  jobs: Pick<JobTable, 'get' | 'newestWaiting' | 'countWaiting'>;
  slots: Pick<RunningSlots, 'jobs'>;
};

type Range = Omit<OwnWaitingQuery, 'lane'>;

const lanes = [undefined, longLane] as const;

/** The ids of an owner's queued jobs of both lanes, newest first. May be seconds stale. */
export async function queuedIds({ jobs }: UnfinishedJobsDeps, range: Range): Promise<string[]> {
  const found = await Promise.all(lanes.map((lane) => jobs.newestWaiting({ ...range, lane })));
  return newestFirst(found.flat()).slice(0, range.limit);
}

/** The processing jobs of an owner, newest first. */
export async function processingJobs(
  { jobs, slots }: UnfinishedJobsDeps,
  { ownerId, before = '~', from = '' }: Omit<Range, 'limit'>,
): Promise<JobIn<'processing'>[]> {
  const ids = (await slots.jobs(ownerId)).filter((jobId) => jobId < before && jobId >= from);
  const found = await readJobs({ jobs }, ownerId, newestFirst(ids));
  return found.filter((job) => job.state === 'processing');
}

/** Counts the queued jobs of an owner, at most `limit`. */
export async function countQueued(
  { jobs }: Pick<UnfinishedJobsDeps, 'jobs'>,
  query: { ownerId: string; limit: number },
): Promise<number> {
  const counts = await Promise.all(lanes.map((lane) => jobs.countWaiting({ ...query, lane })));
  return Math.min(
    query.limit,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

/** A page of the queued or the processing jobs of an owner, newest first. */
export async function listUnfinished(
  deps: UnfinishedJobsDeps,
  state: UnfinishedState,
  { ownerId, limit, afterJobId, createdAfter, createdBefore }: Omit<JobListing, 'state'>,
): Promise<JobPage> {
  const from = createdAfter && minJobIdAt(createdAfter);
  const before = afterJobId ?? (createdBefore && minJobIdAt(createdBefore));
  if (state === 'processing') return pageOf(await processingJobs(deps, { ownerId, before, from }), limit);
  const jobs: Job[] = [];
  let next = { ownerId, limit: limit + 1, before, from };
  for (;;) {
    const ids = await queuedIds(deps, next);
    // The index may list a job that was claimed since.
    jobs.push(...(await readJobs(deps, ownerId, ids)).filter((job) => job.state === state));
    if (jobs.length > limit || ids.length < next.limit) return pageOf(jobs, limit);
    next = { ...next, before: ids.at(-1) };
  }
}

/** One job more than the page has tells whether there is a next page. */
function pageOf(jobs: readonly Job[], limit: number): JobPage {
  const page = jobs.slice(0, limit);
  return { jobs: page, lastJobId: jobs.length > limit ? page.at(-1)?.jobId : undefined };
}

async function readJobs(
  { jobs }: Pick<UnfinishedJobsDeps, 'jobs'>,
  ownerId: string,
  jobIds: readonly string[],
): Promise<Job[]> {
  const found = await Promise.all(jobIds.map((jobId) => jobs.get({ ownerId, jobId }, { mayBeStale: true })));
  return found.filter((job) => job !== undefined && job.state !== 'deleted');
}

function newestFirst(jobIds: readonly string[]): string[] {
  return jobIds.toSorted((one, other) => (one < other ? 1 : -1));
}
