import * as z from 'zod';
import { contract } from './contract.ts';
import { jobRequestExample, queuedJobExample } from './job-examples.ts';
import { jobRequestSchema } from './job-request.ts';
import { jobResourceSchema } from './job-resource.ts';

/** Apart from the other routes of jobs: it alone needs every recipe, and so do the bundles that import it. */
export const createJobContract = contract({
  id: 'createJob',
  method: 'POST',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'Submit a job',
  description:
    'The job is accepted at once and worked on when its turn comes. What only the network can tell of an input ends the job as `rejected`. A 503 leaves it open whether the job was accepted: with an `Idempotency-Key`, sending the request again finishes what was begun.',
  callers: ['key', 'session'],
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
