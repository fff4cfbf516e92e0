import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { logUnreadable } from '../../adapters/runtime/log-unreadable.ts';
import type { ContractInput } from '../../core/api/contract.ts';
import { type CursorScope, readCursor, writeCursor } from '../../core/api/cursor.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import type { listJobsContract } from '../../core/api/jobs.ts';
import type { Clock, FileLinks, JobListing, JobTable } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { listUnfinished, type UnfinishedJobsDeps } from '../../core/jobs/unfinished-jobs.ts';
import { resultFiles, viewJob } from '../../core/jobs/view.ts';

export type ListJobsDeps = UnfinishedJobsDeps & {
  jobs: JobTable;
  files: FileLinks;
  clock: Clock;
};

/** Lambda's response limit is 6 MB, and a job with a hundred images has two hundred signed URLs if a list has them. */
const maxCharacters = 4_000_000;

/** Lists a page of an owner's jobs, newest first. A page above `maxCharacters` ends early. */
export function listJobs(deps: ListJobsDeps): RouteApp<typeof listJobsContract> {
  return async ({ query: { limit, cursor, expand, ...filters }, principal: { ownerId } }) => {
    const scope: CursorScope = { ownerId, list: 'jobs', filters };
    const { state } = filters;
    const listing: JobListing = {
      ownerId,
      limit,
      afterJobId: cursor === undefined ? undefined : readCursor(scope, cursor),
      createdAfter: toDate(filters.createdAfter),
      createdBefore: toDate(filters.createdBefore),
    };
    const page = await (state === 'queued' || state === 'processing'
      ? listUnfinished(deps, state, listing)
      : deps.jobs.list({ ...listing, state }));
    logUnreadable(page);
    const { jobs, cutAfter } = renderPage(deps, page.jobs, { metadata: filters.metadata, expand });
    const lastJobId = cutAfter ?? page.lastJobId;
    const nextCursor = lastJobId === undefined ? null : writeCursor(scope, lastJobId);
    return { status: 200, body: { jobs, nextCursor } };
  };
}

/** Renders the jobs that match the metadata. `cutAfter` is the id of the last job read before the response was full. */
function renderPage(
  { files, clock }: ListJobsDeps,
  jobs: readonly Job[],
  { metadata, expand }: Pick<ContractInput<typeof listJobsContract>['query'], 'metadata' | 'expand'>,
): { jobs: JobResource[]; cutAfter?: string | undefined } {
  const now = clock.now();
  const views: JobResource[] = [];
  let characters = 0;
  let previousJobId: string | undefined;
  for (const job of jobs) {
    if (matchesMetadata(job, metadata)) {
      const view = viewJob(job, expand === 'files' ? resultFiles(job, files, now) : {});
      characters += JSON.stringify(view).length;
      if (views.length > 0 && characters > maxCharacters) return { jobs: views, cutAfter: previousJobId };
      views.push(view);
    }
    previousJobId = job.jobId;
  }
  return { jobs: views };
}

function matchesMetadata({ request }: Job, wanted: Record<string, string> = {}): boolean {
  const { metadata = {} } = request;
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(metadata, key) && metadata[key] === value);
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
