import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { afterUse } from '@media-jobs/testing/after-use';
import { expect, it } from 'vitest';
import { callEmulator } from '../../src/emulators/aws-json.ts';
import { emulatorTraffic, type Service, type Traffic } from '../../src/emulators/traffic.ts';
import { closeServer, listenOnLoopback } from '../../src/http-server.ts';

/** An emulator that responds with `{}` to everything. */
async function anEmulator(traffic: Traffic, service: Service): Promise<string> {
  const server = createServer((_, response) => response.end('{}'));
  traffic.watch(service, server);
  afterUse(() => closeServer(server));
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

const getItem = (endpoint: string) => callEmulator({ endpoint, target: 'DynamoDB_20120810.GetItem', body: {} });
const putItem = (endpoint: string) => callEmulator({ endpoint, target: 'DynamoDB_20120810.PutItem', body: {} });

it('traffic counts calls by service and operation', async () => {
  const traffic = emulatorTraffic();
  const dynamodb = await anEmulator(traffic, 'dynamodb');
  const s3 = await anEmulator(traffic, 's3');
  await getItem(dynamodb);
  await getItem(dynamodb);
  await putItem(dynamodb);
  await fetch(`${s3}/media/a?x-id=PutObject`, { method: 'PUT' });
  await fetch(`${s3}/media/a`);
  expect(traffic.calls()).toEqual({
    dynamodb: { GetItem: 2, PutItem: 1 },
    sqs: {},
    s3: { PutObject: 1, GET: 1 },
    sfn: {},
    kms: {},
    kvs: {},
    sts: {},
    eventbridge: {},
    lambda: {},
  });
});

it('resetCalls resets the counts', async () => {
  const traffic = emulatorTraffic();
  await getItem(await anEmulator(traffic, 'dynamodb'));
  traffic.resetCalls();
  expect(traffic.calls().dynamodb).toEqual({});
});

it('a fault fails one operation of one service until it ends', async () => {
  const traffic = emulatorTraffic();
  const endpoint = await anEmulator(traffic, 'dynamodb');
  const end = traffic.fail({ service: 'dynamodb', operation: 'GetItem', kind: 'error' });
  await expect(getItem(endpoint)).rejects.toThrow('InternalServerError');
  await expect(putItem(endpoint)).resolves.toEqual({});
  end();
  await expect(getItem(endpoint)).resolves.toEqual({});
});

it('a slow network delays a request and its response until it ends', async () => {
  const traffic = emulatorTraffic();
  const bytes = 200_000;
  const chunks = () => Array.from({ length: 4 }, () => Buffer.alloc(bytes / 4));
  const server = createServer((_, response) => Readable.from(chunks()).pipe(response));
  traffic.watch('s3', server);
  afterUse(() => closeServer(server));
  const endpoint = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const end = traffic.slow('s3', { latencyMs: 30, bytesPerSecond: 2_000_000 });
  const begunMs = performance.now();
  const body = await (await fetch(endpoint)).arrayBuffer();
  expect(body.byteLength).toBe(bytes);
  // A timer may fire a millisecond early.
  expect(performance.now() - begunMs).toBeGreaterThan(128);
  end();
  expect((await (await fetch(endpoint)).arrayBuffer()).byteLength).toBe(bytes);
});

it('a reset fault closes the connection', async () => {
  const traffic = emulatorTraffic();
  const endpoint = await anEmulator(traffic, 'sqs');
  traffic.fail({ service: 'sqs', kind: 'reset' });
  await expect(fetch(endpoint)).rejects.toThrow('fetch failed');
});
