import type { TerminalJob } from '../jobs/record.ts';
import type { ResultFiles } from '../jobs/view.ts';
import type { WebhookPayload } from './payload.ts';

/**
 * The body of a webhook: exactly the specification's payload. `timestamp` is the moment the job ended, in Unix
 * milliseconds, the same on every attempt; the signed URLs are those of this attempt.
 */
export function terminalEvent(job: TerminalJob, files: ResultFiles): WebhookPayload {
  const { metadata = {} } = job.request;
  return {
    data: {
      jobId: job.jobId,
      ...result(job, files),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    },
    timestamp: Date.parse(job.completedAt),
  };
}

function result(job: TerminalJob, { output, outputs, output_files }: ResultFiles) {
  const { progress } = job;
  if (job.state === 'cancelled') return { state: job.state, progress };
  if (job.state !== 'completed') return { state: job.state, progress, error: job.error };
  return {
    state: job.state,
    progress,
    ...(output === undefined ? {} : { output: { signedUrl: output.signedUrl } }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(output_files === undefined ? {} : { output_files }),
  };
}
