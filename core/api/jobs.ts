import * as z from 'zod';
import { jobNotFoundMessage } from '../jobs/job-id.ts';
import { jobStates, webhookStates } from '../jobs/states.ts';
import { requestTimestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';
import { listOf, pageLimitSchema, requestUuid } from './field-schemas.ts';
import { completedJobExample } from './job-examples.ts';
import { metadataPairsSchema } from './job-fields.ts';
import { jobResourceSchema } from './job-resource.ts';

const callers = ['key', 'session'] as const;
const tag = 'Jobs';
const { output: _, output_files: __, ...listedJobExample } = completedJobExample;
/** The description of filters that no index has. */
const filteredPage = 'It applies after a page is read: a page may be short or empty while `nextCursor` is not null.';

/** The path parameter of a job route. An id that is not a UUID answers 404 without a read. */
export const jobParams = z.object({ id: requestUuid(jobNotFoundMessage).describe("The job's `jobId`.") });

export const getJobContract = contract({
  id: 'getJob',
  function: 'jobs',
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  tag,
  summary: 'Read a job',
  callers,
  scope: 'jobs:read',
  params: jobParams,
  query: z.strictObject({
    expand: z
      .enum(['input'])
      .optional()
      .describe('`input` adds a signed URL of the input: of an upload, while it is kept.'),
  }),
  headers: z.object({
    'if-none-match': z
      .string()
      .optional()
      .describe('The `ETag` of an earlier response. If nothing changed, the response is 304.'),
  }),
  responses: {
    200: {
      description: 'The job with signed URLs of its files.',
      schema: jobResourceSchema,
      headers: { ETag: 'Changes with the job, and when half of the lifetime of its signed URLs is over.' },
      example: completedJobExample,
    },
    304: { description: 'Nothing has changed.', headers: { ETag: 'The ETag of `If-None-Match`.' } },
  },
  // The queries find a queued job's position in its queue.
  uses: ['table.get', 'table.query', 'waiting.query', 'files.link'],
});

export const listJobsContract = contract({
  id: 'listJobs',
  function: 'jobs',
  method: 'GET',
  path: '/api/v1/jobs',
  tag,
  summary: 'List jobs',
  description:
    'A list may be a second old: it may miss a job that was just created. One filtered by `state` may also miss a very recent change of state.',
  callers,
  scope: 'jobs:read',
  query: z
    .strictObject({
      limit: pageLimitSchema.describe(
        'Maximum number of jobs in the response. A page may have fewer before the end of the list.',
      ),
      cursor: z.string().optional().describe('The `nextCursor` of an earlier response.'),
      state: listOf(z.enum(jobStates)).optional().meta({
        description: 'One state or several: `state=queued&state=processing`, or `state=queued,processing`.',
      }),
      expand: z
        .enum(['files'])
        .optional()
        .describe(
          '`files` adds `output`, `outputs` and `output_files`, with signed URLs: a list is short without them.',
        ),
      createdAfter: requestTimestampSchema.optional().describe('Inclusive.'),
      createdBefore: requestTimestampSchema.optional().describe('Exclusive.'),
      completedAfter: requestTimestampSchema
        .optional()
        .describe(`Inclusive: jobs that ended then or later. ${filteredPage}`),
      completedBefore: requestTimestampSchema
        .optional()
        .describe(`Exclusive: jobs that ended earlier. ${filteredPage}`),
      metadata: metadataPairsSchema
        .optional()
        .describe(
          'Pairs that a job must have, each as `metadata[<key>]=<value>` or `metadata.<key>=<value>`. An index finds them among all jobs.',
        ),
      webhook: z.enum(webhookStates).optional().describe(`Jobs whose webhook is in this state. ${filteredPage}`),
      search: z.string().min(1).max(500).optional().meta({
        description:
          'A `jobId`, the beginning of the file name of the source in upper or lower case, or a whole value of the metadata. Only `state` and times may stand beside it. It reads the first 5,000 jobs of each.',
      }),
      order: z.enum(['asc', 'desc']).default('desc').describe('By creation: `asc` has the oldest first.'),
    })
    .refine(({ search, metadata }) => search === undefined || metadata === undefined, {
      path: ['search'],
      error: 'Cannot stand beside `metadata`: `search` also finds values of metadata',
    }),
  responses: {
    200: {
      description: 'One page. `nextCursor` is null at the end of the list.',
      schema: z.object({ jobs: z.array(jobResourceSchema), nextCursor: z.string().nullable() }),
      example: { jobs: [listedJobExample], nextCursor: null },
    },
  },
  errors: ['INVALID_CURSOR'],
  uses: ['table.get', 'table.query', 'table.batchGet', 'waiting.query', 'files.link'],
});
