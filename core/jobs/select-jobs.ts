import { idRange } from './id-range.ts';
import type { MetadataIndex } from './metadata-index.ts';
import type { JobListing, JobPage, JobTable } from './ports.ts';
import type { Job } from './record.ts';
import { searchable } from './request-inputs.ts';
import { isTerminalState, type JobState, type WebhookState } from './states.ts';
import { inOrder, listUnfinished, readJobs, type UnfinishedJobsDeps } from './unfinished-jobs.ts';
import { webhookOf } from './view.ts';

export type SelectJobsDeps = UnfinishedJobsDeps & {
  jobs: Pick<JobTable, 'list' | 'named'>;
  metadataIndex: Pick<MetadataIndex, 'find'>;
};

/** Filters of a list. A job has to match all of them, one of the states, and every pair of metadata. */
export type JobSelection = Omit<JobListing, 'state' | 'maxReads'> & {
  states?: readonly JobState[] | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Inclusive. Only ended jobs. */
  completedAfter?: Date | undefined;
  /** Exclusive. Only ended jobs. */
  completedBefore?: Date | undefined;
  webhook?: WebhookState | undefined;
  /** The id of a job, the beginning of the file name of its source, or a value of its metadata. */
  search?: string | undefined;
};

/**
 * A page of an owner's jobs. Metadata and searches find their jobs by an index, however many others there are; the end of a
 * job is compared after a page is read, so such a page may be short or empty before the last one.
 */
export async function selectJobs(deps: SelectJobsDeps, selection: JobSelection): Promise<JobPage> {
  const { search, metadata = {} } = selection;
  const [pair] = Object.entries(metadata);
  if (search !== undefined) return readMatching(deps, selection, batchesOf(await searchIds(deps, selection, search)));
  if (pair !== undefined) return readMatching(deps, selection, indexedIds(deps, selection, pair));
  const page = await listByState(deps, selection);
  return { ...page, jobs: page.jobs.filter((job) => matches(job, selection)) };
}

/** The jobs of the states, each of which has a list of its own. Without states, of all. */
async function listByState(deps: SelectJobsDeps, { states = [], ...listing }: JobSelection): Promise<JobPage> {
  if (states.length === 0) return deps.jobs.list(listing);
  const pages = await Promise.all(
    [...new Set(states)].map((state) =>
      isTerminalState(state) ? deps.jobs.list({ ...listing, state }) : listUnfinished(deps, state, listing),
    ),
  );
  const [only] = pages;
  return pages.length === 1 && only !== undefined ? only : mergePages(pages, listing);
}

/** The first jobs of several pages. Behind the end of an incomplete page nothing is known of its list. */
function mergePages(pages: readonly JobPage[], { limit, order }: JobListing): JobPage {
  const unreadable = pages.flatMap((page) => page.unreadable);
  const [end] = inOrder(
    pages.flatMap(({ lastJobId }) => lastJobId ?? []),
    order,
  );
  const byId = new Map(pages.flatMap(({ jobs }) => jobs).map((job) => [job.jobId, job]));
  const ids = inOrder([...byId.keys()], order);
  const known = end === undefined ? ids : ids.filter((jobId) => inOrder([jobId, end], order)[0] === jobId);
  const jobs = known.slice(0, limit).flatMap((jobId) => byId.get(jobId) ?? []);
  const isCut = known.length > limit;
  return { jobs, unreadable, lastJobId: isCut ? jobs.at(-1)?.jobId : end };
}

const idsPerRead = 100;

/** Reads of one page: a list whose other filters match few jobs ends its page early. */
const maxReads = 10;

async function readMatching(
  deps: SelectJobsDeps,
  selection: JobSelection,
  batches: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
): Promise<JobPage> {
  const { ownerId, limit } = selection;
  const page: JobPage = { jobs: [], lastJobId: undefined, unreadable: [] };
  let reads = 0;
  for await (const ids of batches) {
    if (ids.length === 0) break;
    if (reads === maxReads) return page;
    const { jobs, unreadable } = await readJobs(deps, ownerId, ids);
    page.jobs.push(...jobs.filter((job) => matches(job, selection)));
    page.unreadable.push(...unreadable);
    if (page.jobs.length > limit) {
      const shown = page.jobs.slice(0, limit);
      return { ...page, jobs: shown, lastJobId: shown.at(-1)?.jobId };
    }
    page.lastJobId = ids.at(-1);
    reads += 1;
  }
  return { ...page, lastJobId: undefined };
}

/** Ids of the jobs with a pair of metadata, as many at first as the page needs. */
async function* indexedIds(
  { metadataIndex }: SelectJobsDeps,
  selection: JobSelection,
  [key, value]: [string, string],
): AsyncGenerator<string[]> {
  const { ownerId, order } = selection;
  let limit = Math.min(selection.limit + 1, idsPerRead);
  let afterJobId: string | undefined;
  do {
    const range = idRange({ ...selection, ...(afterJobId && { afterJobId }) });
    const ids = await metadataIndex.find({ ownerId, key, value, ...range, limit, ...(order && { order }) });
    yield ids;
    afterJobId = ids.length < limit ? undefined : ids.at(-1);
    limit = idsPerRead;
  } while (afterJobId !== undefined);
}

/** What a search reads of each index: 5,000 entries are less than a megabyte, which one query returns. */
const maxSearched = 5_000;

const jobIdText = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function searchIds(deps: SelectJobsDeps, selection: JobSelection, search: string): Promise<string[]> {
  const { ownerId, order } = selection;
  const [named, valued] = await Promise.all([
    deps.jobs.named({ ownerId, prefix: searchable(search), limit: maxSearched }),
    deps.metadataIndex.find({ ownerId, value: search, limit: maxSearched }),
  ]);
  const { first, last } = idRange(selection);
  const found = new Set([...named, ...valued, ...(jobIdText.test(search) ? [search.toLowerCase()] : [])]);
  return inOrder(
    [...found].filter((jobId) => jobId >= first && jobId <= last),
    order,
  );
}

function* batchesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += idsPerRead) yield ids.slice(start, start + idsPerRead);
}

function matches(job: Job, selection: JobSelection): boolean {
  const { states = [], metadata = {}, completedAfter, completedBefore, webhook } = selection;
  const own = job.request.metadata ?? {};
  const completedAt = 'completedAt' in job ? job.completedAt : undefined;
  return (
    (states.length === 0 || states.includes(job.state)) &&
    Object.entries(metadata).every(([key, value]) => Object.hasOwn(own, key) && own[key] === value) &&
    (webhook === undefined || webhookOf(job)?.state === webhook) &&
    (completedAfter === undefined || (completedAt !== undefined && completedAt >= completedAfter.toISOString())) &&
    (completedBefore === undefined || (completedAt !== undefined && completedAt < completedBefore.toISOString()))
  );
}
