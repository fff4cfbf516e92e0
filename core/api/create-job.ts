import { contract } from './contract.ts';
import { jobRequestExample, queuedJobExample } from './job-examples.ts';
import { idempotencyHeaders, replayedHeader, submissionUses } from './job-fields.ts';
import { submittedJobSchema } from './job-request.ts';
import { jobResourceSchema } from './job-resource.ts';

/** Not in jobs.ts, because the body schema imports every recipe: the bundles of the other job routes omit them. */
export const createJobContract = contract({
  id: 'createJob',
  function: 'submission',
  method: 'POST',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'Submit a job',
  description:
    'The job is queued and processed in the background. An input that fails DNS, download or probing ends the job as `rejected`. After a 503 the job may or may not exist: send the request again with the same `Idempotency-Key` to create it exactly once.',
  callers: ['key', 'session'],
  scope: 'jobs:write',
  headers: idempotencyHeaders,
  body: submittedJobSchema,
  bodyExample: jobRequestExample,
  responses: {
    201: {
      description: 'The job was accepted. It ends in exactly one terminal state.',
      schema: jobResourceSchema,
      headers: { Location: 'The path of the job.', ...replayedHeader },
      example: queuedJobExample,
    },
  },
  errors: ['INVALID_URL', 'PRESET_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: [...submissionUses, 'contentKeys.encrypt', 'table.query', 'presets.read'],
});
