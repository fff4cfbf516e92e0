import * as z from 'zod';
import { chunkingSchema, jobErrorSchema } from '../jobs/record.ts';
import { speeds } from '../jobs/speeds.ts';
import { jobStages, jobStates } from '../jobs/states.ts';
import { outputFilesSchema } from '../media/outputs/file-record.ts';
import { timestampSchema } from '../timestamp.ts';

const timestamp = timestampSchema.meta({ description: 'ISO 8601, UTC, with milliseconds.' });

const input = z.looseObject({ url: z.string() });
const recipe = z.looseObject({ name: z.string() });

/** A job as its owner reads it. */
export const jobResourceSchema = z
  .object({
    jobId: z.string(),
    state: z.enum(jobStates),
    progress: z.int().min(0).max(100).meta({
      description: 'Percent; never falls, and is 100 only once the job is completed.',
    }),
    stage: z.enum(jobStages),
    request: z.object({
      mode: z.string(),
      input: input.optional().meta({ description: 'Left out where there are `inputs`.' }),
      inputs: z.array(input).optional(),
      output: z.looseObject({ format: z.string() }),
      recipe: recipe.optional().meta({ description: 'Left out where there are `steps`.' }),
      steps: z.array(z.looseObject({ name: z.string().optional(), recipe })).optional(),
      speed: z.enum(speeds).optional(),
      webhookUrl: z.string().optional(),
    }),
    attempt: z.int().min(0).meta({ description: 'How many times a worker has taken the job.' }),
    chunking: chunkingSchema.optional().meta({
      description:
        'In how many chunks a video is encoded side by side, or in one piece (1), and why; once that is decided.',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
    startedAt: timestamp.nullable(),
    completedAt: timestamp
      .nullable()
      .meta({ description: 'When the job ended, in whichever terminal state.' }),
    filesExpireAt: timestamp.nullable().meta({ description: 'When the files are removed.' }),
    estimatedEndAt: timestamp.optional().meta({
      description: "While the job is encoded: when that will have ended, by the encoder's own report.",
    }),
    inputSizeBytes: z.int().min(0).optional().meta({
      description: 'Size of the input, once the job is completed.',
    }),
    measurements: z.record(z.string(), z.number()).optional().meta({
      description: 'Figures that the recipe found on the way, such as the loudness of the input.',
    }),
    retryOf: z.string().optional().meta({ description: 'The job that this one tries again.' }),
    metadata: z.record(z.string(), z.string()).optional(),
    output: z.object({ signedUrl: z.url(), expiresAt: timestamp }).optional(),
    outputs: z.record(z.string(), z.url()).optional().meta({
      description:
        'Of a job with several files, the signed URL of each by its name. That of a playlist leads to this API, which signs what it names.',
    }),
    output_files: outputFilesSchema.optional(),
    error: jobErrorSchema.optional(),
  })
  .meta({ id: 'Job' });

export type JobResource = z.output<typeof jobResourceSchema>;
