import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expectEqual, expectField } from '../expectation.ts';
import { type ApiResponse, expectUnauthorized } from '../http/call.ts';
import { readSampleJob } from '../jobs/jobs.ts';

export const errors: Clause[] = section('Errors', [
  field('code', 'string', 'error.code | string | Machine-readable code.'),
  field('message', 'string', 'error.message | string | Human-readable text.'),
  field('retryable', 'boolean', 'error.retryable | boolean | Whether retrying may succeed.'),
  {
    id: 'errors.unauthorized',
    sentence: 'Authentication missing or invalid (see Authentication) | 401 | `UNAUTHORIZED` | false',
    check: async ({ anonymous, withKey }) => {
      expectUnauthorized(await anonymous('GET', '/api/v1/jobs'), 'no credential');
      expectUnauthorized(await withKey('no key')('GET', '/api/v1/jobs'), 'a key that is none');
    },
  },
  {
    id: 'errors.job-failure',
    sentence:
      "Job failures are reported in the job result's `error` object (fields `code`, `message`, `stage`, `retryable`); `TRANSCODE_ERROR` is a code given for a failure during the `transcoding` stage,",
    check: async (run) => {
      const job = await readSampleJob(run, 'failed');
      const stage = expectField(job, 'error.stage', 'string');
      expectEqual(stage, 'transcoding', 'error.stage of a job whose video is cut off');
      expectEqual(expectField(job, 'error.code', 'string'), 'TRANSCODE_ERROR', 'error.code of that job');
      expectField(job, 'error.message', 'string');
      expectField(job, 'error.retryable', 'boolean');
    },
  },
]);

function field(name: string, kind: 'string' | 'boolean', sentence: string): Omit<Clause, 'section'> {
  return {
    id: `errors.${name}`,
    sentence,
    check: async (run) => {
      for (const { body } of await everyKindOfError(run)) expectField(body, `error.${name}`, kind);
    },
  };
}

/** An authentication error, a not-found error and a validation error. */
function everyKindOfError({ api, anonymous }: SuiteRun): Promise<ApiResponse[]> {
  return Promise.all([
    anonymous('GET', '/api/v1/jobs'),
    api('GET', '/api/v1/jobs/00000000-0000-7000-8000-000000000000'),
    api('POST', '/api/v1/jobs', { body: {} }),
  ]);
}
