import { type Client, type OperationRequest, type OperationResult, poll, waitForJob } from '@media-jobs/client';
import { isTerminalState, type JobResource } from '@media-jobs/core/api';
import type { CommandContext } from '../context/command-context.ts';
import { jobProgress, type ProgressView } from '../show/progress-view.ts';

type Calls = Pick<CommandContext, 'client' | 'signal' | 'sleep'>;

/** The jobs to follow: these, or all unfinished ones and those that are created meanwhile. */
type Followed = { jobIds?: readonly string[]; onPoll: (jobs: JobResource[]) => void };

/** What one request of the feed takes. */
const maxAsked = 50;

/** The list of waiting jobs may miss one for a second. */
const listDelayMs = 2_000;

/**
 * Follows jobs until all of them have ended. A request of the feed of events has all of them, up to 50 at a time.
 * @throws ApiError if a job of `jobIds` does not exist, or as `poll` does
 */
export async function followJobs(
  { client, signal, sleep, now }: Calls & Pick<CommandContext, 'now'>,
  { jobIds, onPoll }: Followed,
): Promise<JobResource[]> {
  let after = new Date(now() - listDelayMs).toISOString();
  const known = new Map<string, JobResource | undefined>(jobIds?.map((jobId) => [jobId, undefined]));
  if (jobIds === undefined) {
    const pages = listJobPages(client, { state: ['queued', 'processing'], limit: 100, order: 'asc' });
    for await (const { jobs } of pages) for (const job of jobs) known.set(job.jobId, job);
  }
  /** By id: an ended job with its files, which the feed leaves out, or the error of a deleted one. */
  const readEnded = (jobId: string, job?: JobResource) =>
    // Of all jobs none that had ended before it was followed.
    jobIds === undefined ? known.get(jobId) && job : client.getJob({ params: { id: jobId } });
  return poll({ signal, sleep }, async () => {
    const asked = [...known].filter(([, job]) => job === undefined || !isTerminalState(job.state)).slice(0, maxAsked);
    const query = { after, limit: 100, ...(asked.length > 0 && { jobs: asked.map(([jobId]) => jobId) }) };
    const { events, nextCursor, jobs = [] } = await client.listEvents({ query });
    for (const [jobId] of asked) {
      const read = jobs.find((job) => job.jobId === jobId);
      const job = read && !isTerminalState(read.state) ? read : await readEnded(jobId, read);
      // The next request asks for those that this one left out.
      known.delete(jobId);
      if (job !== undefined) known.set(jobId, job);
    }
    after = nextCursor;
    const created = jobIds === undefined ? events.filter(({ type }) => type === 'job.queued') : [];
    for (const { jobId } of created) if (!known.has(jobId)) known.set(jobId, undefined);
    const all = (jobIds ?? [...known.keys()].sort()).map((jobId) => known.get(jobId));
    const seen = all.filter((job) => job !== undefined);
    onPoll(seen);
    return seen.length === all.length && seen.every(({ state }) => isTerminalState(state)) ? seen : undefined;
  });
}

/** Follows one job by its own record, shows its progress and returns the terminal job. Throws as `poll` does. */
export function followJob(jobId: string, calls: Calls & { view: ProgressView }): Promise<JobResource> {
  return waitForJob({ ...calls, isForeign: false }, jobId, (job) => calls.view.show(jobProgress(job)));
}

export type JobsQuery = NonNullable<OperationRequest<'listJobs'>['query']>;
type Page = OperationResult<'listJobs'>;

/** Lists jobs page by page, from the cursor of the query to the end. */
export async function* listJobPages(client: Client, query: JobsQuery): AsyncGenerator<Page> {
  let cursor = query.cursor;
  do {
    const page: Page = await client.listJobs({ query: { ...query, cursor } });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
