import { expect, it } from 'vitest';
import { takeTokens } from '../../../adapters/dynamodb/token-buckets.ts';
import { rateLimiter } from '../../../core/access/rate-limit.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const table = await aDynaliteTable();

const limit = { requestsPerSecond: 20, burst: 100 };

/** Functions that share the buckets of the table and a clock, and count their calls. */
function functionsOf(count: number) {
  const clock = { nowMs: 1_000_000, calls: 0 };
  const { tableName } = table;
  const client = Object.assign(Object.create(table.client), {
    send: (...args: Parameters<typeof table.client.send>) => {
      clock.calls += 1;
      return table.client.send(...args);
    },
  });
  const limiter = (_: unknown, n: number) =>
    rateLimiter(limit, {
      nowMs: () => clock.nowMs,
      random: () => (n % 10) / 10,
      buckets: { take: async (hash, batch) => (await takeTokens(client, tableName, hash, batch)) ?? 'none' },
    });
  const all = Array.from({ length: count }, limiter);
  /** The requests that pass of one to each function at the same time. */
  const sendAtOnce = async (hash: string) => {
    const answers = await Promise.allSettled(all.map((limited) => limited(hash)));
    return answers.filter(({ status }) => status === 'fulfilled').length;
  };
  /** The requests that pass of so many, sent one after the other to the functions in turn. */
  const send = async (hash: string, requests: number, countsAs?: number) => {
    let passed = 0;
    for (let n = 0; n < requests; n++) {
      passed +=
        (await all[n % count]?.(hash, countsAs).then(
          () => 1,
          ({ code }: { code: string }) => (code === 'RATE_LIMITED' ? 0 : Number.NaN),
        )) ?? Number.NaN;
    }
    return passed;
  };
  return { clock, send, sendAtOnce };
}

it.each([1, 4])('of %d functions: the burst, then the rate, exact to ten for each', async (count) => {
  const { clock, send } = functionsOf(count);
  const hash = `credential of ${count}`;
  const first = await send(hash, 300);
  expect(first).toBeGreaterThan(limit.burst);
  expect(first).toBeLessThanOrEqual(limit.burst + 10 * count);
  expect(await send(`another, ${count}`, 50)).toBe(50);
  clock.nowMs += 30_000;
  expect(await send(hash, 300)).toBe(limit.burst);
  let passed = 0;
  for (let step = 0; step < 40; step++) {
    clock.nowMs += 250;
    passed += await send(hash, 40);
  }
  const allowed = 10 * limit.requestsPerSecond;
  expect(passed).toBeGreaterThanOrEqual(allowed - 10);
  expect(passed).toBeLessThanOrEqual(allowed + 10 * count);
});

it('a request that reads much counts as several, and leaves the others what it does not get', async () => {
  const { clock, send } = functionsOf(1);
  expect(await send('heavy', 50, 10)).toBe(limit.burst / 10);
  expect(await send('heavy', 1)).toBe(1);
  clock.nowMs += 10_000;
  expect(await send('heavy', 5, 10)).toBe(5);
  expect(await send('heavy', 100)).toBe(50);
});

it('as many requests at once as the burst pass, each in a function of its own', async () => {
  const { sendAtOnce } = functionsOf(limit.burst);
  expect(await sendAtOnce('parallel')).toBe(limit.burst);
});

it('functions that each get one request at once do not all take a batch at once', async () => {
  const { clock, sendAtOnce } = functionsOf(40);
  for (let wave = 0; wave < 25; wave++) {
    expect(await sendAtOnce('waves')).toBe(40);
    clock.nowMs += 2_000;
  }
});

it('a request below the rate adds at most 0.1 calls', async () => {
  const { clock, send } = functionsOf(1);
  let passed = 0;
  for (let n = 0; n < 200; n++) {
    clock.nowMs += 60;
    passed += await send('steady', 1);
  }
  expect(passed).toBe(200);
  expect(clock.calls).toBeLessThanOrEqual(20);
});
