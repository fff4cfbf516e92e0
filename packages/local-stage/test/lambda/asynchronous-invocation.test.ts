import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { invokeAsynchronously } from '../../src/lambda/asynchronous-invocation.ts';
import { InvocationError } from '../../src/lambda/invocation-error.ts';
import type { InvocationResult } from '../../src/lambda/runtime-api.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const second = 1000;
const minute = 60 * second;
const failed: InvocationResult = { ok: false, error: { errorType: 'Error', errorMessage: 'broken' } };
const throttled = () => Promise.reject(new InvocationError('TooManyRequestsException', 'Rate Exceeded.'));

const byDefault = { maxEventAgeSeconds: 6 * 3600, maxRetries: 2 };

/** Invokes asynchronously. Records the time of each attempt in milliseconds, and the outcome. */
function invoking(attempt: () => Promise<InvocationResult>, { event = {} as unknown, retries = byDefault } = {}) {
  const start = Date.now();
  const attempts: number[] = [];
  const invoke = () => {
    attempts.push(Date.now() - start);
    return attempt();
  };
  const stopping = new AbortController();
  const outcome = invokeAsynchronously({
    functions: { invoke },
    nameOrArn: 'fn',
    event,
    ...retries,
    signal: stopping.signal,
  });
  return { attempts, outcome: Promise.allSettled([outcome]), stopping };
}

it('a throttled event is retried after 1 s, then after twice as long, and at least every 5 minutes', async () => {
  const { attempts } = invoking(throttled);
  await vi.advanceTimersByTimeAsync(30 * minute);
  expect(attempts.slice(0, 4)).toEqual([0, second, 3 * second, 7 * second]);
  expect((attempts.at(-1) ?? 0) - (attempts.at(-2) ?? 0)).toBe(5 * minute);
});

it('a throttled event is given up after six hours', async () => {
  const { attempts, outcome } = invoking(throttled);
  await vi.advanceTimersByTimeAsync(6 * 60 * minute + minute);
  expect(await outcome).toMatchObject([{ status: 'rejected', reason: { name: 'TooManyRequestsException' } }]);
  expect(attempts.at(-1)).toBe(6 * 60 * minute);
});

it('a failed event is retried twice, after one and two minutes', async () => {
  const { attempts, outcome } = invoking(async () => failed);
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(attempts).toEqual([0, minute, 3 * minute]);
  expect(await outcome).toMatchObject([{ reason: { message: 'Error: broken' } }]);
});

it('a throttled event is given up after the age that its function accepts', async () => {
  const { attempts, outcome } = invoking(throttled, { retries: { maxEventAgeSeconds: 60, maxRetries: 2 } });
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(await outcome).toMatchObject([{ status: 'rejected', reason: { name: 'TooManyRequestsException' } }]);
  expect(attempts.at(-1)).toBe(minute);
});

it('the age of an event counts from its first invocation, not from the failed one', async () => {
  let invocations = 0;
  const failsThenThrottled = async () => {
    invocations += 1;
    return invocations === 1 ? failed : throttled();
  };
  const { attempts, outcome } = invoking(failsThenThrottled, { retries: { maxEventAgeSeconds: 90, maxRetries: 2 } });
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(await outcome).toMatchObject([{ reason: { name: 'TooManyRequestsException' } }]);
  expect(attempts.at(-1)).toBe(90 * second);
});

it('a failed event is not retried if its function allows no retries', async () => {
  const { attempts, outcome } = invoking(async () => failed, { retries: { maxEventAgeSeconds: 60, maxRetries: 0 } });
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect([attempts, await outcome]).toMatchObject([[0], [{ reason: { message: 'Error: broken' } }]]);
});

it('an error of Lambda other than throttling is not retried', async () => {
  const { attempts, outcome } = invoking(() => Promise.reject(new Error('denied')));
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect([attempts, await outcome]).toMatchObject([[0], [{ reason: { message: 'denied' } }]]);
});

it('retries end when the stage stops', async () => {
  const { attempts, outcome, stopping } = invoking(throttled);
  await vi.advanceTimersByTimeAsync(second);
  stopping.abort();
  await vi.advanceTimersByTimeAsync(minute);
  expect(attempts).toEqual([0, second]);
  expect(await outcome).toMatchObject([{ status: 'rejected' }]);
});

it('an event above 1 MB is rejected', async () => {
  const { attempts, outcome } = invoking(async () => failed, { event: 'x'.repeat(1024 * 1024) });
  expect(await outcome).toMatchObject([{ reason: { name: 'RequestTooLargeException' } }]);
  expect(attempts).toEqual([]);
});
