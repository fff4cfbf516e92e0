import * as z from 'zod';
import { outputCostsSchema } from '../jobs/usage.ts';
import { pricesReadOn, pricesRegion } from '../pricing/prices.ts';
import { costParts } from '../pricing/region-prices.ts';
import { contract } from './contract.ts';
import { requestUuid } from './field-schemas.ts';
import { jobRequestExample } from './job-examples.ts';
import { outputsJobSchema, pipelineJobSchema, presetJobSchema, recipeJobSchema } from './job-request.ts';
import { workerFields } from './job-resource.ts';

/** Properties of a source that a client states before it is measured. */
const sourceMediaSchema = z.strictObject({
  width: z.int().min(1).max(16_384).describe('As displayed, in pixels.'),
  height: z.int().min(1).max(16_384),
  durationSeconds: z.number().positive().max(86_400).optional().describe('Absent for a still image.'),
  framesPerSecond: z.number().positive().max(240).optional().describe('Default: 30.'),
  sizeBytes: z.int().positive().optional().meta({
    description: 'Size of the file: how much there is to encode. Default: that of a usual bit rate.',
  }),
  codec: z.string().max(32).optional().describe("ffprobe's name of the video codec, such as `hevc`. Default: `h264`."),
  hasAudio: z.boolean().optional().describe('Default: true.'),
  hdr: z.boolean().optional().describe('PQ or HLG in 10 bits. Default: false.'),
});

const estimateFields = {
  media: sourceMediaSchema.optional().describe('The properties of each input. Required without `probeJobId`.'),
  probeJobId: requestUuid().optional().meta({
    description: 'A completed job of the recipe `probe` on the same input, in place of `media`.',
  }),
};

const bodySchema = z
  .discriminatedUnion('mode', [
    recipeJobSchema.safeExtend(estimateFields).meta({ id: 'RecipeJobEstimate' }),
    pipelineJobSchema.safeExtend(estimateFields).meta({ id: 'PipelineJobEstimate' }),
    outputsJobSchema.safeExtend(estimateFields).meta({ id: 'OutputsJobEstimate' }),
    presetJobSchema.safeExtend(estimateFields).meta({ id: 'PresetJobEstimate' }),
  ])
  .superRefine(({ media, probeJobId }, context) => {
    if ((media === undefined) === (probeJobId === undefined))
      context.addIssue({ code: 'custom', path: ['media'], message: 'Give either media or probeJobId' });
  })
  .meta({ id: 'JobEstimateRequest' });

const range = (unit: string) =>
  z.object({
    p50: z.number().min(0).describe(`${unit}: half of such jobs stay below it.`),
    p90: z.number().min(0).describe(`${unit}: nine of ten such jobs stay below it.`),
  });

/** Separate from create-job.ts for its bundle: only this route needs the cost model. */
export const estimateJobContract = contract({
  id: 'estimateJob',
  function: 'submission',
  method: 'POST',
  path: '/api/v1/jobs/estimate',
  tag: 'Jobs',
  summary: 'Estimate the time and price of a job',
  description:
    'Validates a job as `POST /api/v1/jobs` does and estimates it from what is known of its source. It creates nothing and reads no input. Prices are those of Lambda and the other services of AWS in US dollars, without free tiers, taxes, downloads and requests that read the job.',
  callers: ['key', 'session'],
  scope: 'jobs:write',
  body: bodySchema,
  bodyExample: {
    ...jobRequestExample,
    media: { durationSeconds: 300, width: 1920, height: 1080, framesPerSecond: 30 },
  },
  responses: {
    200: {
      description: 'Seconds from the start of the work to its end, and dollars.',
      schema: z
        .object({
          seconds: range('Seconds'),
          usd: range('Dollars'),
          parts: z.array(z.object({ name: z.enum(costParts), usd: z.number().min(0) })),
          chunks: z.int().min(1).describe('Chunks that are encoded in parallel; 1: a single pass.'),
          ...workerFields,
          outputs: outputCostsSchema.optional(),
          prices: z
            .object({ region: z.string(), readOn: z.iso.date() })
            .describe(
              'The region of the prices, and when they were read: `us-east-1` if those of the stage are not known. Prices that are known of `us-east-1` only, such as that of SQS, count everywhere.',
            ),
        })
        .meta({ id: 'JobEstimate' }),
      example: {
        seconds: { p50: 314.6, p90: 419.5 },
        usd: { p50: 0.048475, p90: 0.064092 },
        parts: [
          { name: 'transcoding', usd: 0.045488 },
          { name: 'disk', usd: 0.000273 },
          { name: 'chunks', usd: 0.000411 },
          { name: 'api', usd: 0.000004 },
          { name: 'records', usd: 0.000379 },
          { name: 'webhook', usd: 0.00001 },
          { name: 'files', usd: 0.00179 },
          { name: 'logs', usd: 0.00002 },
          { name: 'traces', usd: 0.0001 },
        ],
        chunks: 6,
        worker: 'chunks',
        prices: { region: pricesRegion, readOn: pricesReadOn },
      },
    },
  },
  errors: ['INVALID_URL', 'PRESET_NOT_FOUND', 'NOT_FOUND'],
  uses: [
    'table.get',
    'table.query',
    'presets.read',
    'outputs.get',
    'work.estimate',
    'speeds.choose',
    'buckets.describe',
  ],
});
