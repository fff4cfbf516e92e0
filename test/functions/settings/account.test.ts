import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { recipes } from '@media-jobs/video/recipes';
import { describe, expect, it } from 'vitest';
import { defaultHeaders } from '../../../adapters/runtime/http/response.ts';
import { createKeyRecord, type KeyRecord, newApiKey } from '../../../core/access/key-record.ts';
import { issueMessage } from '../../../core/api/issue-message.ts';
import { jobRequestSchema } from '../../../core/api/job-request.ts';
import { setSettingsContract, type updateSettingsContract } from '../../../core/api/settings.ts';
import { answerUnrouted } from '../../../functions/not-found/app.ts';
import { changeSettings, getSettings } from '../../../functions/settings/settings.ts';
import { listRecipes } from '../../../functions/submission/list-recipes.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aJobId, aQueuedJob, later, start } from '../../builders/jobs/jobs.ts';

const clock = aVirtualClock(start);

describe('the settings', () => {
  const someRoutes = (keys: KeyRecord[] = []) => {
    const settings = memorySettingsTable();
    const change = changeSettings({
      settings,
      providers: { get: async () => undefined },
      clock,
      webhookUrlRules: { schemes: ['https'], reachable: [] },
    });
    const set = (defaultWebhookUrl: string | null, ownerId = 'owner-1') =>
      callRoute<typeof updateSettingsContract>(change, { ownerId, body: { defaultWebhookUrl } });
    const jobs = memoryJobTable();
    const stored = {
      settings,
      clock,
      jobs,
      keys: { list: async (ownerId: string) => keys.filter((key) => key.ownerId === ownerId) },
    };
    return { set, jobs, get: (ownerId = 'owner-1') => callRoute(getSettings(stored), { ownerId }) };
  };

  it('of a new owner are empty', async () => {
    const { get } = someRoutes();
    expect(await get()).toEqual({
      status: 200,
      body: { defaultWebhookUrl: null, defaultStorageProviderId: null, updatedAt: start.toISOString() },
    });
  });

  it('that were never set have the time of the first job or key, also after its end', async () => {
    const named = { ownerId: 'owner-1', keyId: aJobId(9), name: 'ci' };
    const keys = [
      createKeyRecord(
        newApiKey(() => new Uint8Array(64)),
        { ...named, now: later(-60_000) },
      ),
    ];
    const { get, jobs } = someRoutes(keys);
    await jobs.write({ job: aQueuedJob({ createdAt: later(-30_000) }), guard: { absent: true } });
    const first = await get();
    expect(first.body).toMatchObject({ updatedAt: later(-60_000).toISOString() });
    keys.pop();
    expect(await get()).toEqual(first);
  });

  it('are set, read and cleared per owner', async () => {
    const { set, get } = someRoutes();
    const url = 'https://hooks.example/media';
    const answer = await set(url);
    expect(answer.body).toMatchObject({ defaultWebhookUrl: url, updatedAt: start.toISOString() });
    expect((await get()).body).toEqual(answer.body);
    expect((await get('owner-2')).body).toMatchObject({ defaultWebhookUrl: null });
    expect((await set(null)).body).toMatchObject({ defaultWebhookUrl: null });
  });

  it.each([
    [null, 'Must be a string; found null, which PUT takes'],
    [1, 'Must be a string; found a number'],
  ])('reject %s as the URL of a POST', (defaultWebhookUrl, message) => {
    const { error } = setSettingsContract.body.safeParse({ defaultWebhookUrl }, { error: issueMessage });
    expect(error?.issues).toMatchObject([{ path: ['defaultWebhookUrl'], message }]);
  });

  it('reject a default storage provider that is no id, before the table is read with it', () => {
    const { error } = setSettingsContract.body.safeParse({ defaultStorageProviderId: 'x'.repeat(2_000) });
    expect(error?.issues).toMatchObject([
      { path: ['defaultStorageProviderId'], message: 'Must be the id of a storage provider' },
    ]);
  });

  it.each(['http://hooks.example/', 'https://10.0.0.1/', 'https://user:secret@hooks.example/'])(
    'reject %s',
    async (url) => {
      const { set } = someRoutes();
      await expect(set(url)).rejects.toMatchObject({
        code: 'INVALID_URL',
        details: [{ path: 'defaultWebhookUrl', message: expect.not.stringContaining('secret') }],
      });
    },
  );
});

it('the recipes are all listed with an example request', async () => {
  const { body } = await callRoute(listRecipes(recipes));
  expect(body.recipes.map(({ name }) => name)).toEqual(recipes.map(({ name }) => name));
  for (const { name, exampleRequest, parameters, outputFormats } of body.recipes) {
    expect(jobRequestSchema.safeParse(exampleRequest), name).toMatchObject({ success: true });
    expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputFormats.length).toBeGreaterThan(0);
  }
});

describe('a request that matches no route', () => {
  const routes = [
    { method: 'GET', path: '/api/v1/jobs' },
    { method: 'POST', path: '/api/v1/jobs' },
    { method: 'GET', path: '/api/v1/jobs/{id}' },
    { method: 'POST', path: '/api/v1/jobs/estimate' },
  ];
  const answer = (method: string, path: string) => answerUnrouted({ routes, method, path, requestId: 'request-1' });

  it.each([
    ['PUT', '/api/v1/jobs', 'GET, POST'],
    ['HEAD', '/api/v1/jobs', 'GET, POST'],
    ['DELETE', '/api/v1/jobs/123', 'GET'],
    ['GET', '/api/v1/jobs/estimate', 'POST'],
  ])('has Allow in its response: %s %s', (method, path, allow) => {
    const { statusCode, headers, body } = answer(method, path);
    expect({ statusCode, allow: headers?.allow }).toEqual({ statusCode: 405, allow });
    expect(JSON.parse(body ?? '')).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED', requestId: 'request-1' } });
  });

  it.each(['/', '/api/v1/jobs/', '/api/v1/nothing', '/api/v2/jobs', '/api/v1/jobs/1/2', '/api/v1/jobs/../jobs/1'])(
    'is NOT_FOUND at %s',
    (path) => {
      const { statusCode, body } = answer('GET', path);
      expect(statusCode).toBe(404);
      expect(JSON.parse(body ?? '')).toMatchObject({ error: { code: 'NOT_FOUND' } });
    },
  );

  it('is NOT_FOUND if only its decoded path matches a route', () => {
    // Sent as /api%2fv1%2fjobs.
    expect(answer('GET', '/api/v1/jobs').statusCode).toBe(404);
  });

  it('is 204 for OPTIONS', () => {
    expect(answer('OPTIONS', '/api/v1/jobs')).toEqual({ statusCode: 204, headers: defaultHeaders });
  });
});
