import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterUse } from '@media-jobs/testing/after-use';
import { describe, expect, it } from 'vitest';
import { maxInvocations, openGateway } from '../../src/http/gateway.ts';
import { InvocationError } from '../../src/lambda/invocation-error.ts';
import type { InvocationResult } from '../../src/lambda/runtime-api.ts';
import type { Cors } from '../../src/template/resources/http-api.ts';

const rules: Cors = {
  AllowCredentials: false,
  AllowHeaders: ['Authorization', 'Content-Type'],
  AllowMethods: ['GET', 'POST'],
  AllowOrigins: ['https://app.example'],
  ExposeHeaders: ['ETag'],
  MaxAge: 3600,
};
const origin = 'https://app.example';

type GatewayDeps = {
  invoke?: (functionName: string, event: unknown, signal: AbortSignal) => Promise<InvocationResult>;
  routes?: string[];
  cors?: Cors;
  timeoutMs?: number;
};

/** A gateway whose functions return their event by default. */
async function aGateway({
  invoke = echo,
  routes = ['$default'],
  cors,
  timeoutMs = 30_000,
}: GatewayDeps = {}): Promise<string> {
  const aRoute = (key: string) => ({
    key,
    functionName: key,
    timeoutMs,
    invoke: (event: unknown, signal: AbortSignal) => invoke(key, event, signal),
  });
  const gateway = await openGateway(0);
  afterUse(() => gateway.stop());
  gateway.serve({ api: { name: 'api', cors, routes: routes.map(aRoute) }, log: () => undefined });
  return gateway.baseUrl;
}

async function echo(_: string, event: unknown): Promise<InvocationResult> {
  return { ok: true, payload: JSON.stringify(event) };
}

const returns = (response: object) => async (): Promise<InvocationResult> => ({
  ok: true,
  payload: JSON.stringify(response),
});

it('the gateway responds with 503 until it serves an API', async () => {
  const gateway = await openGateway(0);
  afterUse(() => gateway.stop());
  expect((await fetch(gateway.baseUrl)).status).toBe(503);
});

it('a request reaches the function of its route', async () => {
  const url = await aGateway({ routes: ['POST /jobs/{id}'] });
  const response = await fetch(`${url}/jobs/7?a=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(await response.json()).toMatchObject({
    routeKey: 'POST /jobs/{id}',
    pathParameters: { id: '7' },
    queryStringParameters: { a: '1' },
    body: '{}',
  });
});

it('a request without a matching route gets a 404 of the gateway', async () => {
  const response = await fetch(`${await aGateway({ routes: ['GET /jobs'] })}/nothing`);
  expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
});

it('a CONNECT request gets a 400', async () => {
  const { port, hostname } = new URL(await aGateway());
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write('CONNECT internal.example:443 HTTP/1.1\r\nHost: internal.example:443\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*\{"message":"Bad Request"\}$/s);
});

it('a HEAD request gets headers and no body', async () => {
  const url = await aGateway({ invoke: returns({ statusCode: 200, body: 'hello' }) });
  const response = await fetch(url, { method: 'HEAD' });
  expect([response.headers.get('content-length'), await response.text()]).toEqual(['5', '']);
});

it('a HEAD request gets the length that its function states', async () => {
  const url = await aGateway({ invoke: returns({ statusCode: 200, headers: { 'content-length': '1234' } }) });
  const response = await fetch(url, { method: 'HEAD' });
  expect(response.headers.get('content-length')).toBe('1234');
});

it('a failed function gives a 500', async () => {
  const failed: InvocationResult = { ok: false, error: { errorType: 'Error', errorMessage: 'secret' } };
  const response = await fetch(await aGateway({ invoke: async () => failed }));
  expect([response.status, await response.json()]).toEqual([500, { message: 'Internal Server Error' }]);
});

it('a function slower than the integration timeout gives a 503, and never starts if it has not yet', async () => {
  const unstarted = Promise.withResolvers<string>();
  const invoke: GatewayDeps['invoke'] = (_name, _event, signal) => {
    signal.addEventListener('abort', () => unstarted.resolve('cancelled'));
    return new Promise(() => {});
  };
  const response = await fetch(await aGateway({ invoke, timeoutMs: 50 }));
  expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }]);
  expect(await unstarted.promise).toBe('cancelled');
});

it('a throttled function gives a 503', async () => {
  const throttled = () => Promise.reject(new InvocationError('TooManyRequestsException', 'Rate Exceeded.'));
  const response = await fetch(await aGateway({ invoke: throttled }));
  expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }]);
});

describe('more requests than the machine runs at once', () => {
  it('wait until another ends', async () => {
    const gate = Promise.withResolvers<void>();
    let [running, maxRunning] = [0, 0];
    const invoke = async (): Promise<InvocationResult> => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await gate.promise;
      running -= 1;
      return { ok: true, payload: '{}' };
    };
    const url = await aGateway({ invoke });
    const responses = Array.from({ length: maxInvocations + 2 }, () => fetch(url));
    await expect.poll(() => running).toBe(maxInvocations);
    gate.resolve();
    const statuses = (await Promise.all(responses)).map(({ status }) => status);
    expect(statuses).toEqual(responses.map(() => 200));
    expect(maxRunning).toBe(maxInvocations);
  });

  it('get a 503 while there is time to respond, and never start', async () => {
    const gate = Promise.withResolvers<void>();
    let started = 0;
    const invoke = async (): Promise<InvocationResult> => {
      started += 1;
      await gate.promise;
      return { ok: true, payload: '{}' };
    };
    const url = await aGateway({ invoke, timeoutMs: 6_000 });
    const first = Array.from({ length: maxInvocations }, () => fetch(url));
    await expect.poll(() => started).toBe(maxInvocations);
    expect((await fetch(url)).status).toBe(503);
    gate.resolve();
    for (const response of first) expect((await response).status).toBe(200);
    expect(started).toBe(maxInvocations);
  });
});

it('oversized headers are rejected before the function', async () => {
  const url = await aGateway({ invoke: () => Promise.reject(new Error('was invoked')) });
  const just = await fetch(url, { headers: { padding: 'x'.repeat(10_300) } });
  expect([just.status, await just.json()]).toEqual([431, { message: 'Request Header Fields Too Large' }]);
});

it('oversized headers are rejected when the HTTP parser fails', async () => {
  const { port, hostname } = new URL(await aGateway());
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nPadding: ${'x'.repeat(100_000)}\r\n\r\n`);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(answer).toMatch(/\r\n\r\n\{"message":"Request Header Fields Too Large"\}$/);
});

it('an oversized body gets a 413', async () => {
  const response = await fetch(await aGateway(), { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
  expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
});

it('a body that makes the event too large for the function gets a 413', async () => {
  const tooLarge = () => Promise.reject(new InvocationError('RequestTooLargeException', 'too large'));
  const response = await fetch(await aGateway({ invoke: tooLarge }), { method: 'POST', body: 'text' });
  expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
});

it('a request just below the quotas is accepted', async () => {
  const url = await aGateway({ invoke: returns({ statusCode: 204 }) });
  const response = await fetch(url, {
    method: 'POST',
    headers: { padding: 'x'.repeat(9_900), 'content-type': 'text/plain' },
    body: 'x'.repeat(6_000_000),
  });
  expect(response.status).toBe(204);
});

describe('CORS headers', () => {
  const preflight = { origin, 'access-control-request-method': 'POST' };

  it('a preflight without a matching route is answered by the gateway', async () => {
    const url = await aGateway({ cors: rules, routes: ['POST /jobs'] });
    const response = await fetch(`${url}/jobs`, { method: 'OPTIONS', headers: preflight });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'Authorization,Content-Type',
      'access-control-max-age': '3600',
    });
  });

  it('CORS headers are added to the preflight response of $default', async () => {
    const url = await aGateway({ cors: rules, invoke: returns({ statusCode: 204 }) });
    const response = await fetch(`${url}/jobs`, { method: 'OPTIONS', headers: preflight });
    expect([response.status, response.headers.get('access-control-allow-methods')]).toEqual([204, 'GET,POST']);
  });

  it('CORS headers are added to every response, including gateway errors', async () => {
    const url = await aGateway({ cors: rules, routes: ['GET /jobs'] });
    for (const path of ['/jobs', '/nothing']) {
      const response = await fetch(url + path, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('access-control-expose-headers')).toBe('ETag');
    }
  });

  it('CORS headers replace those of a function', async () => {
    const invoke = returns({ statusCode: 200, headers: { 'Access-Control-Allow-Origin': '*' } });
    const response = await fetch(await aGateway({ cors: rules, invoke }), {
      headers: { origin: 'https://evil.example' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('CORS headers of a function are sent if the API has no CORS configuration', async () => {
    const headers = { 'Access-Control-Allow-Origin': origin };
    const url = await aGateway({ invoke: returns({ statusCode: 204, headers }) });
    for (const method of ['GET', 'OPTIONS']) {
      const response = await fetch(url, { method, headers: preflight });
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    }
    const tooLarge = await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([tooLarge.status, tooLarge.headers.get('access-control-allow-origin')]).toEqual([413, null]);
  });

  it('a request without an origin gets no CORS headers', async () => {
    const response = await fetch(await aGateway({ cors: rules }));
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
