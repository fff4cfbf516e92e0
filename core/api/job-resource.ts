import { speeds } from '@media-jobs/video/encoding';
import { jobWarningsSchema, outputFilesSchema } from '@media-jobs/video/media';
import * as z from 'zod';
import { chunkingSchema, workers } from '../jobs/job-result.ts';
import { maxPriority } from '../jobs/request-limits.ts';
import { jobErrorSchema, jobStages, jobStates, outputStates, webhookStates } from '../jobs/states.ts';
import { costViewSchema } from '../jobs/usage.ts';
import { objectOptions } from '../storage/object-options.ts';
import { timestampSchema } from '../timestamp.ts';

const timestamp = timestampSchema.describe('ISO 8601, UTC, with milliseconds.');

const input = z.looseObject({
  url: z.string().optional().describe('Absent for an object of a storage provider.'),
  storageProviderId: z.string().optional(),
  key: z.string().optional(),
});
const link = z.object({ signedUrl: z.url(), expiresAt: timestamp });
const recipe = z.looseObject({ name: z.string() });
const result = {
  format: z.string(),
  storageProviderId: z.string().nullable().optional(),
  key: z.string().optional(),
  keepDays: z.number().nullable().optional(),
  ...objectOptions,
};

const workerSchema = z.enum(workers).nullable();

/** Who does the work, of a job and in an estimate. */
export const workerFields = {
  worker: workerSchema.describe(
    'Who does the work: a function in a single pass, functions in chunks, or a Fargate task. Null until decided. Of several: the one that can do the most.',
  ),
  workers: z
    .record(z.string(), workerSchema)
    .optional()
    .describe('By the name of each output, or of a pipeline of each step, or its number such as `step-1`.'),
};

const outputStateSchema = z
  .object({
    state: z
      .enum(outputStates)
      .describe(
        '`skipped`: its condition did not hold. `cancelled`: a cancel stopped it, or the failure of another output.',
      ),
    progress: z.int().min(0).max(100).describe('Percent.'),
    error: jobErrorSchema.optional(),
  })
  .meta({ id: 'OutputState' });

/** A job in API responses. */
export const jobResourceSchema = z
  .object({
    jobId: z.string(),
    state: z.enum(jobStates),
    progress: z.int().min(0).max(100).meta({
      description: 'Percent. It never falls, and reaches 100 only when the job is completed.',
    }),
    stage: z.enum(jobStages),
    request: z.object({
      mode: z.string(),
      input: input.optional().describe('Absent if the job has `inputs`.'),
      inputs: z.array(input).optional(),
      output: z.looseObject(result).optional().describe('Absent if the job has `outputs`.'),
      recipe: recipe.optional().describe('Absent if the job has `steps` or `outputs`.'),
      steps: z.array(z.looseObject({ name: z.string().optional(), recipe })).optional(),
      outputs: z.record(z.string(), z.looseObject({ from: z.string().optional(), recipe, ...result })).optional(),
      speed: z.enum(speeds).optional(),
      priority: z.number().optional(),
      finishBy: timestamp.optional(),
      maxCostUsd: z.number().optional(),
      keepDays: z.number().nullable().optional(),
      webhookUrl: z.string().optional(),
    }),
    preset: z.string().optional().describe('The version of the preset that `request` is from.'),
    priority: z.int().min(0).max(maxPriority).meta({
      description: 'Of the waiting jobs of its owner those of the highest priority start first.',
    }),
    attempt: z.int().min(0).describe('How many times a worker has claimed the job.'),
    chunking: chunkingSchema
      .optional()
      .describe(
        'Number of chunks encoded in parallel (1: a single pass) and the reason, once decided. Of a pipeline: the chunks of all its steps, and the reason of each.',
      ),
    ...workerFields,
    createdAt: timestamp,
    updatedAt: timestamp,
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable().describe('When the job reached its terminal state.'),
    filesExpireAt: timestamp
      .nullable()
      .describe(
        'When the last files are removed. null: not before the job is deleted, or the job has no files. An output is left out once its own time is over.',
      ),
    position: z.int().min(1).optional().meta({
      description:
        'Of a queued job: 1 if it is the next one of its owner in its queue, 1001 if 1,000 or more jobs are before it. Present when one job is read.',
    }),
    estimatedStartAt: timestamp
      .optional()
      .describe(
        'Estimated start of a queued job, from its position and the latest starts. Present when one job is read, once the pace is known.',
      ),
    estimatedEndAt: timestamp
      .optional()
      .describe("Estimated end of encoding, from the encoder's progress. Present while the job is encoded."),
    inputSizeBytes: z.int().min(0).optional().describe('Size of the input. Present on completed jobs.'),
    measurements: z
      .record(z.string(), z.number())
      .optional()
      .describe('Values that the recipe measured, such as the loudness of the input.'),
    warnings: jobWarningsSchema.describe(
      'What a completed job lacks, or assumed of its input: damaged frames, tracks that were left out. Usually empty.',
    ),
    retryOf: z.string().optional().describe('The job that this one retries.'),
    metadata: z.record(z.string(), z.string()).optional(),
    webhook: z
      .object({ state: z.enum(webhookStates), host: z.string() })
      .optional()
      .meta({
        description:
          'Of an ended job with a webhook: whether it was delivered, and the host that it is for. `failed` once no attempt is left; a redelivery makes it `pending`.',
      }),
    stages: z
      .array(z.object({ stage: z.enum(jobStages), startedAt: timestamp }))
      .optional()
      .describe('When the worker began each stage, in the last attempt.'),
    input: link.optional().describe('The input, if it is an upload that is still kept. Present with `expand=input`.'),
    output: link.optional(),
    outputs: z
      .record(z.string(), z.url())
      .optional()
      .describe(
        'Signed URLs by name, for a job with several files. That of a playlist, a manifest or cues opens all files of its folder, for a day by default. Of a job of several `outputs`, `stream` is the playlist, the cues or the first image of the set of that output, and `stream/720p` one of its files; what is finished can be read before the job has ended.',
      ),
    output_files: outputFilesSchema.optional(),
    outputStates: z
      .record(z.string(), outputStateSchema)
      .optional()
      .describe('The state of each output, of a job of several `outputs`.'),
    error: jobErrorSchema.optional(),
    cost: costViewSchema.optional().describe('What an ended job has cost, in dollars.'),
  })
  .meta({ id: 'Job' });

export type JobResource = z.output<typeof jobResourceSchema>;
