import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type Gateway, openGateway } from '../../../local/http/gateway.ts';
import { TooManyRequestsError } from '../../../local/lambda/function-pool.ts';
import type { InvocationResult } from '../../../local/lambda/runtime-api.ts';
import type { Cors } from '../../../local/template/resources/http-api.ts';

const rules: Cors = {
  AllowCredentials: false,
  AllowHeaders: ['Authorization', 'Content-Type'],
  AllowMethods: ['GET', 'POST'],
  AllowOrigins: ['https://app.example'],
  ExposeHeaders: ['ETag'],
  MaxAge: 3600,
};
const origin = 'https://app.example';

let front: Gateway | undefined;
afterEach(() => front?.stop());

type Given = {
  invoke?: (functionName: string, event: unknown) => Promise<InvocationResult>;
  routes?: string[];
  cors?: Cors;
  timeoutMs?: number;
};

/** A front whose functions answer with their event, unless told otherwise. */
async function aFront({
  invoke = echo,
  routes = ['$default'],
  cors,
  timeoutMs = 30_000,
}: Given = {}): Promise<string> {
  front = await openGateway(0);
  front.serve({
    api: { name: 'api', cors, routes: routes.map((key) => ({ key, functionName: key, timeoutMs })) },
    functions: { invoke, kill: async () => undefined, stop: async () => undefined },
    log: () => undefined,
  });
  return front.baseUrl;
}

async function echo(_: string, event: unknown): Promise<InvocationResult> {
  return { ok: true, payload: JSON.stringify(event) };
}

const answers = (response: object) => async (): Promise<InvocationResult> => ({
  ok: true,
  payload: JSON.stringify(response),
});

it('is unavailable until it serves something', async () => {
  front = await openGateway(0);
  expect((await fetch(front.baseUrl)).status).toBe(503);
});

describe('a request', () => {
  it('reaches the function of its route', async () => {
    const url = await aFront({ routes: ['POST /jobs/{id}'] });
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

  it('is a 404 of the gateway where no route takes it', async () => {
    const response = await fetch(`${await aFront({ routes: ['GET /jobs'] })}/nothing`);
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
  });

  it('for another host is refused in words', async () => {
    const { port, hostname } = new URL(await aFront());
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('CONNECT internal.example:443 HTTP/1.1\r\nHost: internal.example:443\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*\{"message":"Bad Request"\}$/s);
  });

  it('by HEAD has the headers of its answer and no body', async () => {
    const url = await aFront({ invoke: answers({ statusCode: 200, body: 'hello' }) });
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['5', '']);
  });
});

describe('a function that does not answer as it should', () => {
  it('is a 500 when it failed', async () => {
    const failed: InvocationResult = { ok: false, error: { errorType: 'Error', errorMessage: 'secret' } };
    const response = await fetch(await aFront({ invoke: async () => failed }));
    expect([response.status, await response.json()]).toEqual([500, { message: 'Internal Server Error' }]);
  });

  it('is a 503 when it takes longer than the integration may', async () => {
    const response = await fetch(await aFront({ invoke: () => new Promise(() => {}), timeoutMs: 50 }));
    expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }]);
  });

  it('is a 503 when it is throttled', async () => {
    const throttled = () => Promise.reject(new TooManyRequestsError('Rate Exceeded'));
    const response = await fetch(await aFront({ invoke: throttled }));
    expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }]);
  });
});

describe('a request too large', () => {
  it('in its headers is refused before any function sees it', async () => {
    const url = await aFront({ invoke: () => Promise.reject(new Error('was invoked')) });
    const just = await fetch(url, { headers: { padding: 'x'.repeat(10_300) } });
    expect([just.status, await just.json()]).toEqual([431, { message: 'Request Header Fields Too Large' }]);
  });

  it('in its headers is refused also where the parser gives up', async () => {
    const { port, hostname } = new URL(await aFront());
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\nPadding: ${'x'.repeat(100_000)}\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(answer).toMatch(/\r\n\r\n\{"message":"Request Header Fields Too Large"\}$/);
  });

  it('in its body is a 413', async () => {
    const response = await fetch(await aFront(), {
      method: 'POST',
      body: Buffer.alloc(10 * 1024 * 1024 + 1),
    });
    expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
  });

  it('for the event of a function is a 413', async () => {
    const response = await fetch(await aFront(), { method: 'POST', body: Buffer.alloc(5 * 1024 * 1024) });
    expect(response.status).toBe(413);
  });

  it('passes just below the limits', async () => {
    const url = await aFront({ invoke: answers({ statusCode: 204 }) });
    const response = await fetch(url, {
      method: 'POST',
      headers: { padding: 'x'.repeat(9_900), 'content-type': 'text/plain' },
      body: 'x'.repeat(6_000_000),
    });
    expect(response.status).toBe(204);
  });
});

describe('cross-origin rules', () => {
  const preflight = { origin, 'access-control-request-method': 'POST' };

  it('answer a preflight where no route takes it', async () => {
    const url = await aFront({ cors: rules, routes: ['POST /jobs'] });
    const response = await fetch(`${url}/jobs`, { method: 'OPTIONS', headers: preflight });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'Authorization,Content-Type',
      'access-control-max-age': '3600',
    });
  });

  it('are added to what $default answers to a preflight', async () => {
    const url = await aFront({ cors: rules, invoke: answers({ statusCode: 204 }) });
    const response = await fetch(`${url}/jobs`, { method: 'OPTIONS', headers: preflight });
    expect([response.status, response.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET,POST',
    ]);
  });

  it('are added to every answer, errors of the gateway included', async () => {
    const url = await aFront({ cors: rules, routes: ['GET /jobs'] });
    for (const path of ['/jobs', '/nothing']) {
      const response = await fetch(url + path, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('access-control-expose-headers')).toBe('ETag');
    }
  });

  it('replace what a function says', async () => {
    const invoke = answers({ statusCode: 200, headers: { 'Access-Control-Allow-Origin': '*' } });
    const response = await fetch(await aFront({ cors: rules, invoke }), {
      headers: { origin: 'https://evil.example' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('say nothing to a request without an origin', async () => {
    const response = await fetch(await aFront({ cors: rules }));
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
