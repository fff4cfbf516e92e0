import { alteredKeys, unprefixedKeys } from '../access/altered-keys.ts';
import { expectUnauthorizedEverywhere } from '../access/endpoints.ts';
import { withNewKey } from '../access/new-key.ts';
import { type Clause, type SuiteRun, section } from '../clause.ts';
import { expectEqual } from '../expectation.ts';
import { expectSuccess, expectUnauthorized } from '../http/call.ts';
import { deleteJob, submit, unreachableInputRequest } from '../jobs/jobs.ts';
import { expectKeyForm } from './api-keys.ts';

export const authentication: Clause[] = section('Authentication', [
  {
    id: 'authentication.either',
    sentence: 'Every request must be authenticated, by an API key or by a dashboard session.',
    needs: ['session'],
    check: async ({ api, session, anonymous }) => {
      expectSuccess(await api('GET', '/api/v1/jobs'));
      expectSuccess(await session('GET', '/api/v1/jobs'));
      expectUnauthorized(await anonymous('GET', '/api/v1/jobs'), 'neither key nor session');
    },
  },
  {
    id: 'authentication.1',
    sentence: 'API key: send it in either header, both equivalent:',
    check: async ({ anonymous, target: { apiKey } }) => {
      const asBearer = { authorization: `Bearer ${apiKey}` };
      const asOwn = { 'x-api-key': apiKey };
      const [first, second] = await Promise.all(
        [asBearer, asOwn].map((headers) => anonymous('GET', '/api/v1/settings', { headers })),
      );
      if (first && second) expectEqual(expectSuccess(second), expectSuccess(first), 'what X-API-KEY reads');
    },
  },
  {
    id: 'authentication.2',
    sentence: 'Keys start with `nte_` and are 52 characters long.',
    needs: ['session'],
    check: (run) => withNewKey(run, async ({ key }) => expectKeyForm(key, 'a new key')),
  },
  {
    id: 'authentication.3.session',
    sentence:
      'Dashboard session: the dashboard at `/app` calls the same `/api/v1/*` endpoints with a session token issued by an external identity provider; no API key is needed.',
    needs: ['session'],
    check: async ({ session }) => {
      expectSuccess(await session('GET', '/api/v1/jobs'));
      const { defaultWebhookUrl } = expectSuccess(await session('GET', '/api/v1/settings'));
      const body = { defaultWebhookUrl: defaultWebhookUrl ?? null };
      expectSuccess(await session('PUT', '/api/v1/settings', { body }));
    },
  },
  {
    id: 'authentication.3.same-data',
    sentence: "Dashboard calls see the same data as the user's API keys.",
    needs: ['session'],
    check: (run) => withNewKey(run, ({ key }) => seesTheSame(run, key)),
  },
  {
    id: 'authentication.4',
    sentence: 'A revoked key causes a 401 response on every subsequent request immediately.',
    needs: ['session'],
    check: (run) =>
      withNewKey(run, async ({ key, revoke }) => {
        expectSuccess(await run.withKey(key)('GET', '/api/v1/settings'));
        await revoke();
        await expectUnauthorizedEverywhere(run.withKey(key), revoked);
      }),
  },
  {
    id: 'authentication.5.missing',
    sentence:
      'Failure: HTTP 401 with the error body described under Errors. Causes: missing `Authorization` and `X-API-KEY` headers,',
    check: async ({ anonymous }) => {
      expectUnauthorized(await anonymous('GET', '/api/v1/settings'), 'neither header');
    },
  },
  {
    id: 'authentication.5.prefix',
    sentence: 'a key without the `nte_` prefix,',
    check: (run) => rejectsAll(run, unprefixedKeys(run.target.apiKey)),
  },
  {
    id: 'authentication.5.revoked',
    sentence: 'a revoked key,',
    needs: ['session'],
    check: (run) =>
      withNewKey(run, async ({ key, revoke }) => {
        await revoke();
        await rejectsAll(run, { [revoked]: key });
      }),
  },
  {
    id: 'authentication.5.altered',
    sentence: 'a key altered when copied (for example trailing spaces).',
    check: (run) => rejectsAll(run, alteredKeys(run.target.apiKey)),
  },
]);

const revoked = 'a key that was revoked';

/** Expects 401 for each key, in both headers. */
async function rejectsAll({ anonymous }: SuiteRun, keys: Record<string, string>): Promise<void> {
  for (const [why, key] of Object.entries(keys)) {
    for (const [name, value] of [
      ['authorization', `Bearer ${key}`],
      ['x-api-key', key],
    ] as const) {
      const response = await anonymous('GET', '/api/v1/settings', { headers: { [name]: value } });
      expectUnauthorized(response, `${why} in ${name}`);
    }
  }
}

async function seesTheSame(run: SuiteRun, key: string): Promise<void> {
  const byKey = run.withKey(key);
  const jobId = await submit({ ...run, api: byKey, jobIds: [] }, unreachableInputRequest);
  try {
    const { jobId: seen } = expectSuccess(await run.session('GET', `/api/v1/jobs/${jobId}`));
    expectEqual(seen, jobId, "jobId of a key's job as the session reads it");
    const [first, second] = await Promise.all(
      [byKey, run.session].map(async (call) => expectSuccess(await call('GET', '/api/v1/settings'))),
    );
    expectEqual(second, first, 'what the session reads of the settings');
  } finally {
    await deleteJob(byKey, jobId);
  }
}
