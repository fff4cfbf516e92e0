import { callEveryRead, expectUnauthorizedEverywhere } from '../access/endpoints.ts';
import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expect, expectEqual, expectField, fieldAt, formatValue } from '../expectation.ts';
import { expectSuccess } from '../http/call.ts';
import { setDefaultWebhook, withDefaultWebhook } from '../jobs/default-webhook.ts';
import { readSampleJob, submit, unreachableInputRequest } from '../jobs/jobs.ts';

const elsewhere = 'https://unreachable.invalid/default';

export const endpoints: Clause[] = section('Endpoints', [
  {
    id: 'endpoints.authentication',
    sentence: 'All endpoints require authentication (see Authentication).',
    check: ({ anonymous }) => expectUnauthorizedEverywhere(anonymous, 'no credential'),
  },
  {
    id: 'endpoints.json',
    sentence: 'Bodies are JSON;',
    check: async ({ api }) => {
      for (const { request, headers, body } of await callEveryRead(api)) {
        const type = headers.get('content-type') ?? 'none';
        expect(/^application\/json\b/.test(type), `${request} returned the content type ${type}`);
        expect(body !== undefined, `${request} returned a body that is not JSON`);
      }
    },
  },
  {
    id: 'endpoints.content-type',
    sentence: 'requests with a body carry `Content-Type` set to JSON.',
    check: async ({ api, jobIds }) => {
      const headers = { 'content-type': 'application/json; charset=utf-8' };
      const made = expectSuccess(await api('POST', '/api/v1/jobs', { headers, body: unreachableInputRequest }));
      jobIds.push(expectField(made, 'jobId', 'string'));
    },
  },
  {
    id: 'endpoints.create-job',
    sentence: 'POST | /api/v1/jobs | Job creation request (see Resources) | Job creation response',
    check: async (run) => {
      const jobId = await submit(run, unreachableInputRequest);
      const job = expectSuccess(await run.api('GET', `/api/v1/jobs/${jobId}`));
      expectEqual(job.jobId, jobId, 'jobId of the job just created');
    },
  },
  {
    id: 'endpoints.list-jobs',
    sentence: 'GET | /api/v1/jobs | none | List of jobs',
    check: async (run) => {
      const jobId = await submit(run, unreachableInputRequest);
      const lists = Object.values(expectSuccess(await run.api('GET', '/api/v1/jobs'))).filter(Array.isArray);
      const isThere = lists.flat().some((job) => fieldAt(job, 'jobId') === jobId);
      expect(isThere, 'a job just created is not in the list of jobs');
    },
  },
  {
    id: 'endpoints.get-job',
    sentence: 'GET | /api/v1/jobs/:id | none | Job result for the job identified by `:id`',
    check: async (run) => {
      for (const kind of ['completed', 'failed'] as const) {
        const { jobId } = await run.sampleJob(kind);
        expectEqual((await readSampleJob(run, kind)).jobId, jobId, 'jobId of a job that was asked for');
      }
    },
  },
  {
    id: 'endpoints.get-settings',
    sentence: 'GET | /api/v1/settings | none | Settings record',
    check: async ({ api }) => {
      const record = expectSuccess(await api('GET', '/api/v1/settings'));
      for (const name of ['defaultWebhookUrl', 'defaultStorageProviderId', 'updatedAt']) {
        expect(name in record, `the settings record lacks ${name}: ${formatValue(record)}`);
      }
    },
  },
  {
    id: 'endpoints.post-settings',
    sentence: 'POST | /api/v1/settings | `{ defaultWebhookUrl: string }` | Settings response',
    check: (run) =>
      withDefaultWebhook(run, null, async () => {
        await setDefaultWebhook(run, 'POST', elsewhere);
        await expectDefault(run, elsewhere);
      }),
  },
  {
    id: 'endpoints.put-settings',
    sentence: 'PUT | /api/v1/settings | `{ defaultWebhookUrl: string or null }` | Settings response',
    check: (run) =>
      withDefaultWebhook(run, elsewhere, async () => {
        await expectDefault(run, elsewhere);
        await setDefaultWebhook(run, 'PUT', null);
        await expectDefault(run, null);
      }),
  },
  {
    id: 'endpoints.test-webhook',
    sentence: 'POST | /api/v1/settings/webhook/test | none | `{ ok: boolean, status: integer }`',
    check: (run) =>
      withDefaultWebhook(run, elsewhere, async () => {
        const result = expectSuccess(await run.api('POST', '/api/v1/settings/webhook/test'));
        expectField(result, 'ok', 'boolean');
        expectField(result, 'status', 'integer');
      }),
  },
]);

async function expectDefault(run: SuiteRun, url: string | null): Promise<void> {
  const record = expectSuccess(await run.api('GET', '/api/v1/settings'));
  expectEqual(record.defaultWebhookUrl, url, 'defaultWebhookUrl after it was set');
}
