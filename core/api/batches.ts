import * as z from 'zod';
import { batchEstimateSchema, batchStates, maxManifestBytes, maxManifestLines } from '../batches/batch.ts';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';
import { pageLimitSchema, requestUuid } from './field-schemas.ts';
import { idempotencyHeaders, replayedHeader, submissionUses } from './job-fields.ts';

const common = { function: 'submission', tag: 'Batches', callers: ['key', 'session'] } as const;
const path = '/api/v1/batches';
export const batchNotFoundMessage = 'There is no such batch.';

const count = (description: string) => z.int().min(0).meta({ description });

const batchResourceSchema = z
  .object({
    batchId: z.uuid(),
    state: z
      .enum(batchStates)
      .describe(
        '`queued` until the manifest is read, then `running`; `capped`: `maxUsd` leaves nothing for a further line, now or at the end. `failed`: the manifest could not be read, see `error`.',
      ),
    total: count('Lines of the manifest without repeated ones; 0 until it is read.'),
    submitted: count('Lines that became jobs.'),
    completed: count('Jobs that completed.'),
    failed: count('Lines that were rejected, and jobs with another end. The report has them.'),
    usd: z.number().min(0).describe('Costs of the jobs that have ended, and what the others are expected to cost.'),
    maxUsd: z.number().optional(),
    watch: z.string().optional().describe('Of a backfill: the watch whose objects become jobs.'),
    estimate: batchEstimateSchema
      .optional()
      .describe(
        'Of a backfill, once its objects are listed: objects without a job, of how many the header was read, hours of media, dollars, and seconds from the first job to the last on a stage without other work.',
      ),
    reportUrl: z
      .url()
      .nullable()
      .describe(
        'JSON lines `{ id, jobId, code, message }`, one for each failure, with `line` for a line that made no job. Valid for up to an hour; null without a failure.',
      ),
    error: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .describe('Why the manifest could not be read, or why no line is submitted at present.'),
    createdAt: timestampSchema,
    endedAt: timestampSchema.optional().describe('When all of its jobs had ended.'),
  })
  .meta({ id: 'Batch' });

const batchExample = {
  batchId: '0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6',
  state: 'running' as const,
  total: 40_000,
  submitted: 1_500,
  completed: 498,
  failed: 2,
  usd: 1.92,
  reportUrl: 'https://bucket.s3.eu-central-1.amazonaws.com/work/batches/report.jsonl?X-Amz-Signature=5d67',
  createdAt: '2026-11-21T09:23:31.050Z',
};

const newBatchSchema = z
  .strictObject({
    manifestUrl: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .meta({
        description: `JSON lines \`{ id, input, metadata?, output? }\`: at most ${maxManifestLines} of them and ${maxManifestBytes / 1_000_000} MB. A URL like that of an input: https, an upload, or a bucket of the stage.`,
      }),
    preset: z.string().min(1).max(60).optional().meta({
      description: '`name@version`, or `name` for its current version, which the whole batch keeps.',
    }),
    request: z
      .looseObject({ mode: z.enum(['recipe', 'pipeline', 'outputs', 'preset']) })
      .optional()
      .describe('In place of `preset`: a job without its input.'),
    watch: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/)
      .optional()
      .meta({
        description:
          'A backfill, in place of a manifest and its preset: each object of this watch that has no job gets one.',
      }),
    again: z.array(z.string().min(1).max(1024)).min(1).max(1_000).optional().meta({
      description: 'With `watch`: only the objects of these keys, which get a further job. Their jobs must have ended.',
    }),
    estimateOnly: z
      .boolean()
      .optional()
      .describe('With `watch`: lists the objects and estimates their jobs, but makes none.'),
    maxUsd: z.number().positive().max(1_000_000).optional().meta({
      description: 'Dollars at which no further line is submitted. Jobs that run then go on.',
    }),
  })
  .superRefine(({ manifestUrl, preset, request, watch, again, estimateOnly }, context) => {
    const reject = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (watch === undefined) {
      if (manifestUrl === undefined) reject('manifestUrl', 'Required, unless a watch is given');
      if ((preset === undefined) === (request === undefined)) reject('preset', 'Give either a preset or a request');
    }
    const others = watch === undefined ? { again, estimateOnly } : { manifestUrl, preset, request };
    for (const [field, value] of Object.entries(others))
      if (value !== undefined) reject(field, watch === undefined ? 'Only with a watch' : 'Not with a watch');
  })
  .meta({ id: 'NewBatch' });

const batchParams = z.object({ id: requestUuid(batchNotFoundMessage).describe("The batch's `batchId`.") });

const batch = { description: 'The batch.', schema: batchResourceSchema, example: batchExample };
const readUses = ['batches.get', 'minute.price'] as const;

export const createBatchContract = contract({
  ...common,
  id: 'createBatch',
  method: 'POST',
  path,
  summary: 'Start a batch of jobs',
  description:
    'Each line of the manifest becomes a job, once for each `id`. A line that is not valid is a failure in the report, and the batch goes on. With `watch` the lines are the objects of a watch: a backfill.',
  scope: 'jobs:write',
  headers: idempotencyHeaders,
  body: newBatchSchema,
  bodyExample: { manifestUrl: 'https://example.com/lectures.jsonl', preset: 'course', maxUsd: 50 },
  responses: {
    202: {
      description: 'The batch was accepted.',
      schema: z.object({ batchId: z.uuid() }),
      example: { batchId: batchExample.batchId },
      headers: { Location: 'The path of the batch.', ...replayedHeader },
    },
  },
  errors: ['INVALID_URL', 'PRESET_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: [...submissionUses, 'table.query', 'presets.read', 'watches.list', 'batches.start'],
});

export const listBatchesContract = contract({
  ...common,
  id: 'listBatches',
  method: 'GET',
  path,
  summary: 'List the batches',
  scope: 'jobs:read',
  query: z.strictObject({
    limit: pageLimitSchema,
    cursor: z.string().optional().describe('The `nextCursor` of the page before.'),
  }),
  responses: {
    200: {
      description: 'A page of batches, newest first.',
      schema: z.object({ batches: z.array(batchResourceSchema), nextCursor: z.string().nullable() }),
      example: { batches: [batchExample], nextCursor: null },
    },
  },
  errors: ['INVALID_CURSOR'],
  uses: ['table.query', ...readUses],
});

export const getBatchContract = contract({
  ...common,
  id: 'getBatch',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Read a batch',
  scope: 'jobs:read',
  params: batchParams,
  responses: { 200: batch },
  uses: ['table.get', ...readUses],
});

export const cancelBatchContract = contract({
  ...common,
  id: 'cancelBatch',
  method: 'POST',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel a batch',
  description: 'No further line is submitted, and its unfinished jobs are cancelled. An ended batch does not change.',
  scope: 'jobs:write',
  params: batchParams,
  responses: { 200: batch },
  uses: ['table.get', 'table.put', ...readUses],
});
