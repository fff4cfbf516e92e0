import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { logUnreadable } from '../../adapters/runtime/logger.ts';
import { type CursorScope, readCursor, writeCursor } from '../../core/api/cursor.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import type { listJobsContract } from '../../core/api/jobs.ts';
import type { Clock, FileLinks } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { type SelectJobsDeps, selectJobs } from '../../core/jobs/select-jobs.ts';
import { resultFiles, viewJob } from '../../core/jobs/view.ts';

export type ListJobsDeps = SelectJobsDeps & { files: FileLinks; clock: Clock };

/** Lambda's response limit is 6 MB, and a job with a hundred images has two hundred signed URLs if a list has them. */
export const maxCharacters = 4_000_000;

/** Lists a page of an owner's jobs. A page above `maxCharacters` ends early. */
export function listJobs(deps: ListJobsDeps): RouteApp<typeof listJobsContract> {
  return async ({ query: { limit, cursor, expand, ...filters }, principal: { ownerId } }) => {
    const scope: CursorScope = { ownerId, list: 'jobs', filters };
    const { state, createdAfter, createdBefore, completedAfter, completedBefore, ...others } = filters;
    const page = await selectJobs(deps, {
      ...others,
      ownerId,
      limit,
      states: state,
      afterJobId: cursor === undefined ? undefined : readCursor(scope, cursor),
      createdAfter: toDate(createdAfter),
      createdBefore: toDate(createdBefore),
      completedAfter: toDate(completedAfter),
      completedBefore: toDate(completedBefore),
    });
    logUnreadable(page);
    const { jobs, cutAfter } = renderPage(deps, page.jobs, expand);
    const lastJobId = cutAfter ?? page.lastJobId;
    const nextCursor = lastJobId === undefined ? null : writeCursor(scope, lastJobId);
    return { status: 200, body: { jobs, nextCursor } };
  };
}

/** Renders jobs. `cutAfter` is the id of the last job read before the response was full. */
function renderPage(
  { files, clock }: ListJobsDeps,
  jobs: readonly Job[],
  expand: 'files' | undefined,
): { jobs: JobResource[]; cutAfter?: string | undefined } {
  const now = clock.now();
  const views: JobResource[] = [];
  let characters = 0;
  let previousJobId: string | undefined;
  for (const job of jobs) {
    const view = viewJob(job, expand === 'files' ? resultFiles(job, files, now) : {});
    characters += JSON.stringify(view).length;
    if (views.length > 0 && characters > maxCharacters) return { jobs: views, cutAfter: previousJobId };
    views.push(view);
    previousJobId = job.jobId;
  }
  return { jobs: views };
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
