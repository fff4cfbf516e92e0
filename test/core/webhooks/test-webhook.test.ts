import { describe, expect, it } from 'vitest';
import type { PostOutcome } from '../../../core/net/ports.ts';
import { webhookTestResult } from '../../../functions/settings/test-webhook.ts';

const facts = { latencyMs: 1, responseBody: '', error: 'A sentence.' };
const failed = (more: Pick<Extract<PostOutcome, { ok: false }>, 'errorClass' | 'status'>): PostOutcome => ({
  ...facts,
  ...more,
  ok: false,
});

describe('the result of a webhook test', () => {
  it.each([200, 204])('has the status of a target that accepts: %i', (status) => {
    expect(webhookTestResult({ ...facts, ok: true, status })).toEqual({ ok: true, status });
  });

  it.each([301, 404, 410, 429, 500])('has the status of a target that rejects: %i', (status) => {
    expect(webhookTestResult(failed({ errorClass: 'http-status', status }))).toEqual({ ok: false, status });
  });

  it.each(['dns', 'connect', 'tls', 'reset', 'protocol', 'address-forbidden'] as const)(
    'is 502 for an unreachable target: %s',
    (errorClass) => expect(webhookTestResult(failed({ errorClass }))).toEqual({ ok: false, status: 502 }),
  );

  it.each(['timeout', 'connect-timeout'] as const)('is 504 for a target that times out: %s', (errorClass) => {
    expect(webhookTestResult(failed({ errorClass }))).toEqual({ ok: false, status: 504 });
  });
});
