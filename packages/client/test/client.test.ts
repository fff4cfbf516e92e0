import { contracts } from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../src/api-error.ts';
import { type ClientOptions, createClient } from '../src/client.ts';
import { routes } from '../src/routes.ts';

type Sent = { url: string; method: string; headers: Headers; body: unknown };

/** A client with a fake fetch. */
function aClient(answer: () => Response | Promise<Response>, more: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const client = createClient({
    baseUrl: 'https://api.example/',
    apiKey: 'nte_key',
    fetch: async (url, { method = '', headers, body, signal } = {}) => {
      signal?.throwIfAborted();
      sent.push({ url: String(url), method, headers: new Headers(headers), body: body && JSON.parse(String(body)) });
      return answer();
    },
    ...more,
  });
  return { client, sent };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const problem = (error: object) => ({ error: { code: 'UNAVAILABLE', message: 'Down.', retryable: true, ...error } });

describe('the client', () => {
  it('has every route of the registry', () => {
    expect(routes).toEqual(Object.fromEntries(contracts.map(({ id, method, path }) => [id, `${method} ${path}`])));
  });

  it('sends a body with its credential and returns the response body', async () => {
    const { client, sent } = aClient(() => json(201, { jobId: 'job-1' }));
    const body = {
      mode: 'recipe',
      input: { url: 'https://media.example/in.mp4' },
      output: { format: 'mp4' },
      recipe: { name: 'compress', crf: 28 },
    } as const;
    const job = await client.createJob({ body, headers: { 'idempotency-key': 'key-1' } });
    expect(job.jobId).toBe('job-1');
    expect(sent).toMatchObject([{ url: 'https://api.example/api/v1/jobs', method: 'POST', body }]);
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      authorization: 'Bearer nte_key',
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
    });
  });

  it('escapes U+FFFD in a body, because the API rejects it raw', async () => {
    const bodies: unknown[] = [];
    const fetch = async (_: string, { body }: RequestInit) => {
      bodies.push(body);
      return json(201, {});
    };
    const { client } = aClient(() => json(201, {}), { fetch });
    await client.createUpload({ body: { sizeBytes: 1, filename: 'caf\ufffd.mp4' } });
    expect(bodies).toEqual(['{"sizeBytes":1,"filename":"caf\\ufffd.mp4"}']);
  });

  it('encodes paths and queries', async () => {
    const { client, sent } = aClient(() => json(200, {}));
    await client.getJob({ params: { id: '../keys?x=1' } });
    await client.listJobs({ query: { limit: 5, state: ['queued', 'failed'], metadata: { 'a&b': 'c d' } } });
    expect(sent.map(({ url }) => url)).toEqual([
      'https://api.example/api/v1/jobs/..%2Fkeys%3Fx%3D1',
      'https://api.example/api/v1/jobs?limit=5&state=queued&state=failed&metadata%5Ba%26b%5D=c+d',
    ]);
  });

  it('gets the current token for each request', async () => {
    let turn = 0;
    const sent: (string | null)[] = [];
    const client = createClient({
      baseUrl: '',
      token: async () => `token-${++turn}`,
      fetch: async (_url, init) => {
        sent.push(new Headers(init?.headers).get('authorization'));
        return json(200, { keys: [] });
      },
    });
    await client.listKeys();
    await client.listKeys();
    expect(sent).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('returns undefined for a response without a body', async () => {
    const { client } = aClient(() => new Response(null, { status: 204 }));
    expect(await client.deleteJob({ params: { id: 'job-1' } })).toBeUndefined();
  });

  it('returns status, headers and body from send, a 304 too', async () => {
    const { client } = aClient(() => new Response(null, { status: 304, headers: { etag: 'W/"a"' } }));
    const answer = await client.send('getJob', { params: { id: 'job-1' }, headers: { 'if-none-match': 'W/"a"' } });
    expect(answer.status).toBe(304);
    expect(answer.headers.get('etag')).toBe('W/"a"');
    expect(answer.body).toBeUndefined();
  });
});

describe('a failed request', () => {
  const failure = async (answer: () => Response | Promise<Response>) => {
    const error = await aClient(answer)
      .client.getSettings()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    return error;
  };

  it("throws every field of the API's error", async () => {
    const details = [{ path: 'input.url', message: 'Required' }];
    const body = problem({ requestId: 'request-1', details });
    expect(await failure(() => json(503, body, { 'retry-after': '2' }))).toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
      message: 'Down.',
      retryable: true,
      requestId: 'request-1',
      details,
      retryAfterSeconds: 2,
    });
  });

  it.each([
    ['the gateway, throttling', 429, '{"message":"Too Many Requests"}', true, ': too many requests at once'],
    ['the gateway, of a huge body', 413, '{"message":"Request Entity Too Large"}', false, ''],
    ['a proxy in between', 502, '<html>Bad Gateway</html>', true, ': it is not available now'],
    ['a proxy with an error of null', 502, '{"error":null}', true, ': it is not available now'],
  ])('throws the status of %s', async (_, status, body, retryable, reason) => {
    const answer = () => new Response(body, { status, headers: { 'apigw-requestid': 'gateway-1' } });
    const code = `HTTP_${status}`;
    const message = `The API answered ${status}${reason}.`;
    expect(await failure(answer)).toMatchObject({ status, code, message, retryable, requestId: 'gateway-1' });
  });

  it('is UNREACHABLE without a response', async () => {
    const cause = new TypeError('fetch failed');
    expect(await failure(() => Promise.reject(cause))).toMatchObject({
      status: 0,
      code: 'UNREACHABLE',
      message: 'The API could not be reached.',
      retryable: true,
      cause,
    });
  });

  it('is UNREACHABLE if the response breaks off', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
    expect(await failure(() => new Response(broken))).toMatchObject({ status: 0, code: 'UNREACHABLE' });
  });

  it('is what its own fetch throws other than TypeError', async () => {
    const reason = new Error('not the service');
    const { client } = aClient(() => Promise.reject(reason));
    await expect(client.getSettings()).rejects.toBe(reason);
  });

  it('throws the abort reason of its caller', async () => {
    const reason = new Error('enough');
    const { client } = aClient(() => json(200, {}));
    await expect(client.getSettings({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
