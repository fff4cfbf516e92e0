import * as z from 'zod';
import { jobStates } from '../jobs/states.ts';
import { contract } from './contract.ts';
import { jobRequestSchema } from './job-request.ts';
import { jobResourceSchema } from './job-resource.ts';

const callers = ['key', 'session'] as const;
const tag = 'Jobs';

/** A job's id in a path; any text, since an id that cannot exist is as unknown as one that does not. */
export const jobParams = z.object({ id: z.string().min(1) });

export const createJobContract = contract({
  id: 'createJob',
  method: 'POST',
  path: '/api/v1/jobs',
  tag,
  summary: 'Submit a job',
  callers,
  body: jobRequestSchema,
  responses: {
    201: {
      description: 'The job was accepted; it will end in one of the terminal states, whatever happens.',
      schema: jobResourceSchema,
      headers: { Location: 'The path of the job.' },
    },
  },
  errors: ['INVALID_URL'],
  uses: ['table.put', 'queue.send'],
});

export const getJobContract = contract({
  id: 'getJob',
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  tag,
  summary: 'Read a job',
  callers,
  params: jobParams,
  responses: { 200: { description: 'The job, with signed URLs of its files.', schema: jobResourceSchema } },
  errors: ['NOT_FOUND'],
  uses: ['table.get', 'media.get'],
});

export const listJobsContract = contract({
  id: 'listJobs',
  method: 'GET',
  path: '/api/v1/jobs',
  tag,
  summary: 'List jobs, newest first',
  callers,
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(20),
    cursor: z.string().optional(),
    state: z.enum(jobStates).optional(),
    createdAfter: z.iso.datetime({ offset: true }).optional().meta({ description: 'Inclusive.' }),
    createdBefore: z.iso.datetime({ offset: true }).optional().meta({ description: 'Exclusive.' }),
  }),
  responses: {
    200: {
      description: 'One page; `nextCursor` is null at the end of the list.',
      schema: z.object({ jobs: z.array(jobResourceSchema), nextCursor: z.string().nullable() }),
    },
  },
  errors: ['INVALID_CURSOR'],
  uses: ['table.query', 'table.batchGet', 'media.get'],
});
