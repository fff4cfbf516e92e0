import { expect, it } from 'vitest';
import { ApiError } from '../src/api-error.ts';
import { poll } from '../src/poll.ts';

const outage = new ApiError({ status: 503, code: 'UNAVAILABLE', message: 'Down.', retryable: true });
const notFound = new ApiError({ status: 404, code: 'NOT_FOUND', message: 'Gone.', retryable: false });
const waiting = undefined;

/** Polls with these results, the last of which repeats. Records the delays. */
async function pollThrough(results: (string | undefined | Error)[]) {
  const delays: number[] = [];
  const calls = { signal: new AbortController().signal, sleep: async (delay: number) => void delays.push(delay) };
  const read = async () => {
    const result = results.length > 1 ? results.shift() : results[0];
    if (result instanceof Error) throw result;
    return result;
  };
  const outcome = await poll(calls, read).catch((error: unknown) => error);
  return { outcome, delays, seconds: delays.reduce((sum, delay) => sum + delay, 0) / 1_000 };
}

it.each([
  ['waits longer each time, up to two seconds', [waiting, waiting, waiting, waiting, 'end'], 'end', [3.75, 3.75]],
  ['tolerates a short outage', [waiting, outage, outage, 'end'], 'end', [1.75, 1.75]],
  ['gives up after an outage of two minutes', [waiting, outage], outage, [115, 125]],
  ['fails at once if a repetition cannot help', [notFound], notFound, [0, 0]],
])('poll %s', async (_, results, expected, [least = 0, most = 0]) => {
  const { outcome, seconds } = await pollThrough(results);
  expect(outcome).toBe(expected);
  expect(seconds).toBeGreaterThanOrEqual(least);
  expect(seconds).toBeLessThanOrEqual(most);
});
