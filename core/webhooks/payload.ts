import * as z from 'zod';
import { jobErrorSchema, type TerminalJob } from '../jobs/record.ts';
import type { ResultFiles } from '../jobs/view.ts';
import { outputFilesSchema } from '../media/outputs/file-record.ts';

const common = {
  jobId: z.string().meta({ description: 'The job; of a test, it starts with `test_`.' }),
  progress: z.number().min(0).max(100).meta({ description: 'Percent reached; 100 when completed.' }),
  metadata: z.record(z.string(), z.string()).optional().meta({ description: "The request's own pairs." }),
};

const completed = z.object({
  ...common,
  state: z.literal('completed'),
  output: z
    .object({ signedUrl: z.url() })
    .optional()
    .meta({ description: 'The file of a single-output job, by a signed URL made for this attempt.' }),
  outputs: z
    .record(z.string(), z.url())
    .optional()
    .meta({ description: 'The files of a multi-output job, by name.' }),
  output_files: outputFilesSchema
    .optional()
    .meta({ description: 'What each file is, under the same names.' }),
});

const refused = { ...common, error: jobErrorSchema };

/** The body of every webhook, of a real job or a test. Files that have expired are left out. */
export const webhookPayloadSchema = z
  .object({
    data: z.discriminatedUnion('state', [
      completed,
      z.object({ ...refused, state: z.literal('failed') }),
      z.object({ ...refused, state: z.literal('rejected') }),
      z.object({ ...common, state: z.literal('cancelled') }),
    ]),
    timestamp: z.int().meta({
      description: 'When the job ended, in Unix milliseconds; the same on every attempt and redelivery.',
    }),
  })
  .meta({ id: 'WebhookPayload', description: 'A job has ended.' });

export type WebhookPayload = z.output<typeof webhookPayloadSchema>;

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
