import { expect, it } from 'vitest';
import { aStubApi } from '../builders/a-stub-api.ts';
import { runCli } from '../builders/run-cli.ts';

const settings = { defaultWebhookUrl: null, defaultStorageProviderId: null, updatedAt: '2026-11-20T10:00:00Z' };

it.each([
  ['clear-webhook', { defaultWebhookUrl: null }],
  ['clear', { defaultWebhookUrl: null }],
  ['clear-storage', { defaultStorageProviderId: null }],
])('settings %s clears one setting', async (command, body) => {
  const api = await aStubApi({ 'PUT /api/v1/settings': { status: 200, body: settings } });
  const { exitCode } = await runCli(['settings', command], { baseUrl: api.origin });
  expect(exitCode).toBe(0);
  expect(api.requests.map((request) => JSON.parse(request.body))).toEqual([body]);
});
