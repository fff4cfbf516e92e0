import * as z from 'zod';
import { jobNotFoundMessage } from '../jobs/job-id.ts';
import { jobStates } from '../jobs/states.ts';
import { requestTimestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';
import { completedJobExample } from './job-examples.ts';
import { metadataPairsSchema } from './job-fields.ts';
import { jobResourceSchema } from './job-resource.ts';

const callers = ['key', 'session'] as const;
const tag = 'Jobs';
const limitMessage = 'must be a whole number from 1 to 100';

/** A job's id in a path; one of another form is as unknown as any other, and is not looked up. */
export const jobParams = z.object({
  id: z.uuid(jobNotFoundMessage).meta({ description: "The job's `jobId`." }),
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
    createdAfter: requestTimestampSchema.optional().meta({ description: 'Inclusive.' }),
    createdBefore: requestTimestampSchema.optional().meta({ description: 'Exclusive.' }),
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
