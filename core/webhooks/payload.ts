import { jobWarningsSchema, outputFilesSchema } from '@media-jobs/video/media';
import * as z from 'zod';
import type { TerminalJob } from '../jobs/record.ts';
import { jobErrorSchema } from '../jobs/states.ts';
import { costViewSchema, viewCost } from '../jobs/usage.ts';
import { type ResultFiles, warningsOf } from '../jobs/view.ts';

const common = {
  jobId: z.string().describe('Identifies the job. A test starts with `test_`.'),
  progress: z.number().min(0).max(100).describe('Percent reached; 100 for a completed job.'),
  metadata: z.record(z.string(), z.string()).optional().describe("The pairs of the job's request."),
  cost: costViewSchema.optional().describe('What the job has cost. Present if its request has `maxCostUsd`.'),
};

const completed = z.object({
  ...common,
  state: z.literal('completed'),
  output: z
    .object({ signedUrl: z.url() })
    .optional()
    .describe('The file of a single-output job. Its signed URL is made for this attempt.'),
  outputs: z.record(z.string(), z.url()).optional().describe('The files of a multi-output job: signed URLs by name.'),
  output_files: outputFilesSchema.optional().describe('The properties of each file, under the same names.'),
  warnings: jobWarningsSchema.optional().describe('The warnings of the job. Present if it has any.'),
});

const unsuccessful = { ...common, error: jobErrorSchema };

/** The body of every webhook, of a job or a test. Expired files are left out. */
export const webhookPayloadSchema = z
  .object({
    data: z.discriminatedUnion('state', [
      completed,
      z.object({ ...unsuccessful, state: z.literal('failed') }),
      z.object({ ...unsuccessful, state: z.literal('rejected') }),
      z.object({ ...common, state: z.literal('cancelled') }),
    ]),
    timestamp: z
      .int()
      .describe('When the job ended, in Unix milliseconds. Every attempt and redelivery sends the same one.'),
  })
  .meta({ id: 'WebhookPayload', description: 'A job has ended.' });

export type WebhookPayload = z.output<typeof webhookPayloadSchema>;

/**
 * The body of a webhook, exactly the specification's payload, with `metadata` and `cost` if the request has them and
 * `warnings` if the job has any.
 * `timestamp` is when the job ended, in Unix milliseconds; every attempt sends the same one. Each attempt has signed
 * URLs of its own.
 */
export function buildWebhookPayload(job: TerminalJob, files: ResultFiles): WebhookPayload {
  const { metadata = {}, maxCostUsd } = job.request;
  return {
    data: {
      jobId: job.jobId,
      ...jobResult(job, files),
      metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
      cost: maxCostUsd === undefined || job.cost === undefined ? undefined : viewCost(job.cost),
    },
    timestamp: Date.parse(job.completedAt),
  };
}

function jobResult(job: TerminalJob, { output, outputs, output_files }: ResultFiles) {
  const { progress } = job;
  if (job.state === 'cancelled') return { state: job.state, progress };
  if (job.state !== 'completed') return { state: job.state, progress, error: job.error };
  const warnings = warningsOf(job);
  return {
    state: job.state,
    progress,
    output: output && { signedUrl: output.signedUrl },
    outputs,
    output_files,
    warnings: warnings.length === 0 ? undefined : warnings,
  };
}
