import { type ApiResponse, type Call, expectUnauthorized } from '../http/call.ts';
import { unreachableInputRequest } from '../jobs/jobs.ts';

const reads = ['/api/v1/jobs', '/api/v1/jobs/00000000-0000-7000-8000-000000000000', '/api/v1/settings'];

const writes = [
  { method: 'POST', path: '/api/v1/jobs', body: unreachableInputRequest },
  { method: 'POST', path: '/api/v1/settings', body: { defaultWebhookUrl: 'https://unreachable.invalid/' } },
  { method: 'PUT', path: '/api/v1/settings', body: { defaultWebhookUrl: null } },
  { method: 'POST', path: '/api/v1/settings/webhook/test', body: {} },
];

/** Calls every read-only endpoint. */
export function callEveryRead(call: Call): Promise<ApiResponse[]> {
  return Promise.all(reads.map((path) => call('GET', path)));
}

/** Expects 401 from every endpoint. Read-only endpoints come first, so that an open service is not changed. */
export async function expectUnauthorizedEverywhere(call: Call, why: string): Promise<void> {
  for (const response of await callEveryRead(call)) expectUnauthorized(response, why);
  for (const { method, path, body } of writes) expectUnauthorized(await call(method, path, { body }), why);
}
