import { expect, it } from 'vitest';
import { webhookTestResult } from '../../src/formatting/webhook-test.ts';

it.each([
  [{ ok: true, status: 204 }, 'Delivered: the receiver answered 204.'],
  [{ ok: false, status: 401 }, 'Not delivered: the receiver answered 401.'],
  [{ ok: false, status: 502 }, 'Not delivered: the receiver could not be reached, or its proxy answered 502.'],
  [{ ok: false, status: 504 }, 'Not delivered: the receiver took too long, or its proxy answered 504.'],
])('the test of a webhook, %o', (result, text) => expect(webhookTestResult(result)).toBe(text));
