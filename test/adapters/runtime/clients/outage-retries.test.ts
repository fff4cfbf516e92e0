import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { aWebServer } from '@media-jobs/testing/web-server';
import type { RetryErrorType } from '@smithy/types';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { clientSettings, outageRetries, outlastOutages } from '../../../../adapters/runtime/clients/client-settings.ts';

const minute = 60_000;
const start = Date.parse('2026-03-01T12:00:00Z');
let now = start;

beforeEach(() => {
  now = start;
});

afterEach(() => outlastOutages(new Date(0)));

/** Fails a call as often as it is retried, and passes the pauses of the retries; returns the number of attempts. */
async function attemptsOf(
  retries: ReturnType<typeof outageRetries>,
  { errorType = 'SERVER_ERROR' as RetryErrorType, succeedsAfterMs = Number.POSITIVE_INFINITY } = {},
): Promise<number> {
  const begun = now;
  let token = await retries.acquireInitialRetryToken('');
  for (let attempts = 1; ; attempts += 1) {
    if (now - begun >= succeedsAfterMs) {
      retries.recordSuccess(token);
      return attempts;
    }
    try {
      token = await retries.refreshRetryTokenForRetry(token, { errorType, error: new Error('Down') as never });
    } catch {
      return attempts;
    }
    now += token.getRetryDelay();
  }
}

const clientOf = (random = () => 1) => outageRetries({ now: () => now, random });

describe('the retries of an AWS client', () => {
  it('are four attempts of a function that answers a caller', async () => {
    expect(await attemptsOf(clientOf())).toBe(4);
    expect(now - start).toBeLessThan(1_000);
  });

  it('outlast an outage of a minute in a worker, and end after three minutes', async () => {
    outlastOutages(new Date(start + 15 * minute));
    const client = clientOf();
    await attemptsOf(client, { succeedsAfterMs: minute });
    expect(now - start).toBeGreaterThanOrEqual(minute);
    const begun = now;
    await attemptsOf(client);
    expect((now - begun) / minute).toBeCloseTo(3, 0);
    // The outage is known to last: the next call does not wait as long again.
    await attemptsOf(client);
    expect((now - begun) / minute).toBeCloseTo(3, 0);
  });

  it('end at the deadline of the worker', async () => {
    outlastOutages(new Date(start + minute));
    await attemptsOf(clientOf());
    expect((now - start) / minute).toBeCloseTo(1, 0);
  });

  it('have full jitter, and pauses of four seconds at most', async () => {
    outlastOutages(new Date(start + 15 * minute));
    const client = clientOf(() => 0.5);
    const pauses: number[] = [];
    let token = await client.acquireInitialRetryToken('');
    for (let retry = 0; retry < 8; retry += 1) {
      token = await client.refreshRetryTokenForRetry(token, { errorType: 'TRANSIENT' });
      pauses.push(token.getRetryDelay());
    }
    expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000]);
  });

  it('do not repeat a call that AWS rejects', async () => {
    outlastOutages(new Date(start + 15 * minute));
    expect(await attemptsOf(clientOf(), { errorType: 'CLIENT_ERROR' })).toBe(1);
  });
});

it('a client of a worker sends a request until the service answers', async () => {
  const statuses = [500, 503, 500, 500, 500, 200];
  const { origin: endpoint } = await aWebServer((_, response) => {
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
  outlastOutages(new Date(Date.now() + 15 * minute));
  const client = new DynamoDBClient({
    ...clientSettings,
    region: 'eu-central-1',
    endpoint,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  onTestFinished(() => client.destroy());
  await client.send(new ListTablesCommand({}));
  expect(statuses).toEqual([]);
});
