import type { EndedJob } from '../jobs/job.ts';
import type { ResultFiles } from '../jobs/view.ts';

/**
 * The body of a webhook: exactly the specification's payload. `timestamp` is the moment the job ended, in Unix
 * milliseconds, the same on every attempt; the signed URLs are those of this attempt.
 */
export function terminalEvent(job: EndedJob, files: ResultFiles) {
  const { metadata } = job.request;
  const { output, outputs, output_files } = files;
  return {
    data: {
      jobId: job.jobId,
      state: job.state,
      progress: job.progress,
      ...(output === undefined ? {} : { output: { signedUrl: output.signedUrl } }),
      ...(outputs === undefined ? {} : { outputs }),
      ...(output_files === undefined ? {} : { output_files }),
      ...('error' in job ? { error: job.error } : {}),
      ...(metadata === undefined ? {} : { metadata }),
    },
    timestamp: Date.parse(job.completedAt),
  };
}

const detailTypes = {
  completed: 'Job Completed',
  failed: 'Job Failed',
  rejected: 'Job Rejected',
  cancelled: 'Job Cancelled',
} as const;

/** What the event bus is told of a job's end: enough to act on, and no signed URL, since a bus has many readers. */
export function busEvent(job: EndedJob) {
  const { ownerId, jobId, state, progress, completedAt, request } = job;
  return {
    detailType: detailTypes[state],
    detail: {
      ownerId,
      jobId,
      state,
      progress,
      completedAt,
      recipe: request.recipe.name,
      ...('error' in job ? { error: job.error } : {}),
      ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
    },
  };
}
