import { contract } from './contract.ts';
import { jobRequestExample, queuedJobExample } from './job-examples.ts';
import { idempotencyHeaders, replayedHeader } from './job-fields.ts';
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
  headers: idempotencyHeaders,
  body: jobRequestSchema,
  bodyExample: jobRequestExample,
  responses: {
    201: {
      description: 'The job was accepted; it will end in one of the terminal states, whatever happens.',
      schema: jobResourceSchema,
      headers: {
        Location: 'The path of the job.',
        ...replayedHeader,
      },
      example: queuedJobExample,
    },
  },
  errors: ['INVALID_URL', 'IDEMPOTENCY_KEY_REUSED'],
  uses: ['table.get', 'table.put', 'queue.send'],
});
