import * as z from 'zod';
import { noSuchJob } from '../jobs/job-id.ts';
import { jobStates } from '../jobs/states.ts';
import { contract } from './contract.ts';
import { completedJobExample, jobRequestExample, queuedJobExample } from './job-examples.ts';
import { jobRequestSchema, metadataPairsSchema } from './job-request.ts';
import { jobResourceSchema } from './job-resource.ts';
import { momentSchema } from './moment.ts';

const callers = ['key', 'session'] as const;
const tag = 'Jobs';
const limitMessage = 'must be a whole number from 1 to 100';

/** A job's id in a path; one of another form is as unknown as any other, and is not looked up. */
export const jobParams = z.object({ id: z.uuid(noSuchJob).meta({ description: "The job's `jobId`." }) });

export const createJobContract = contract({
  id: 'createJob',
  method: 'POST',
  path: '/api/v1/jobs',
  tag,
  summary: 'Submit a job',
  description:
    'The job is accepted at once and worked on when its turn comes. What only the network can tell of an input ends the job as `rejected`. A 503 leaves it open whether the job was accepted: with an `Idempotency-Key`, sending the request again finishes what was begun.',
  callers,
  headers: z.object({
    'idempotency-key': z
      .string()
      .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters')
      .optional()
      .meta({
        description:
          'Makes the request safe to repeat: within 24 hours, the same key and body get the same job and the first answer again. 1 to 255 printable ASCII characters.',
      }),
  }),
  body: jobRequestSchema,
  bodyExample: jobRequestExample,
  responses: {
    201: {
      description: 'The job was accepted; it will end in one of the terminal states, whatever happens.',
      schema: jobResourceSchema,
      headers: {
        Location: 'The path of the job.',
        'Idempotent-Replayed': '`true` where this answer repeats that of an earlier request.',
      },
      example: queuedJobExample,
    },
  },
  errors: ['INVALID_URL', 'IDEMPOTENCY_KEY_REUSED'],
  uses: ['table.get', 'table.put', 'queue.send'],
});

export const getJobContract = contract({
  id: 'getJob',
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  tag,
  summary: 'Read a job',
  callers,
  params: jobParams,
  headers: z.object({
    'if-none-match': z
      .string()
      .optional()
      .meta({ description: 'An `ETag` of an earlier answer: unless something changed, the answer is 304.' }),
  }),
  responses: {
    200: {
      description: 'The job, with signed URLs of its files.',
      schema: jobResourceSchema,
      headers: {
        ETag: 'Changes with the job, and with each half lifetime of the signed URLs.',
      },
      example: completedJobExample,
    },
    304: { description: 'Nothing has changed.', headers: { ETag: 'As sent in `If-None-Match`.' } },
  },
  errors: [],
  uses: ['table.get', 'media.get'],
});

export const listJobsContract = contract({
  id: 'listJobs',
  method: 'GET',
  path: '/api/v1/jobs',
  tag,
  summary: 'List jobs, newest first',
  description: 'A list filtered by `state` may be a moment old; its jobs themselves are not.',
  callers,
  query: z.strictObject({
    limit: z
      .string()
      .regex(/^\d{1,3}$/, limitMessage)
      .transform(Number)
      .pipe(z.int().min(1, limitMessage).max(100, limitMessage))
      .default(20)
      .meta({ description: 'The most jobs in the answer; there may be fewer, even before the end.' }),
    cursor: z.string().optional().meta({ description: 'The `nextCursor` of an earlier answer.' }),
    state: z.enum(jobStates).optional(),
    createdAfter: momentSchema.optional().meta({ description: 'Inclusive.' }),
    createdBefore: momentSchema.optional().meta({ description: 'Exclusive.' }),
    metadata: metadataPairsSchema.optional().meta({
      description:
        'As `metadata.<key>=<value>`, for each pair that a job must have. It filters each page after it was read, so that a page may be short or empty while `nextCursor` goes on.',
    }),
  }),
  responses: {
    200: {
      description: 'One page; `nextCursor` is null at the end of the list.',
      schema: z.object({ jobs: z.array(jobResourceSchema), nextCursor: z.string().nullable() }),
      example: { jobs: [completedJobExample], nextCursor: null },
    },
  },
  errors: ['INVALID_CURSOR'],
  uses: ['table.query', 'table.batchGet', 'media.get'],
});
