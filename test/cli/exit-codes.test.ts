import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { queuedJobExample } from '../../core/api/job-examples.ts';
import { anApiKey, runCli } from '../builders/cli/run-cli.ts';
import { aStubApi } from '../builders/http/a-stub-api.ts';

const problem = (code: string, more: object = {}) => ({
  error: { code, message: 'So it is.', retryable: false, requestId: 'request-1', ...more },
});

/** A list of jobs from an API that answers it so. */
async function listFrom(answer: Parameters<typeof aStubApi>[0][string], ...more: string[]) {
  const api = await aStubApi({ 'GET /api/v1/jobs': answer });
  const { exitCode, out, err } = await runCli(['list', ...more], { baseUrl: api.origin }).finally(api.close);
  return { exitCode, out, err, calls: api.requests.length };
}

/** One that nothing listens on any more. */
async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the exit code', () => {
  it.each([
    [200, { jobs: [], nextCursor: null }, 0],
    [400, problem('VALIDATION_ERROR'), 2],
    [401, problem('UNAUTHORIZED'), 3],
    [403, problem('FORBIDDEN'), 3],
    [404, problem('NOT_FOUND'), 4],
    [409, problem('JOB_NOT_CANCELLABLE'), 4],
    [422, problem('IDEMPOTENCY_KEY_REUSED'), 2],
    [429, { message: 'Too Many Requests' }, 5],
    [500, problem('INTERNAL_ERROR', { retryable: true }), 5],
    [503, problem('UNAVAILABLE', { retryable: true }), 5],
  ])('of a %i is %j -> %i', async (status, body, expected) => {
    const { exitCode, out, err } = await listFrom({ status, body });
    expect(exitCode).toBe(expected);
    expect([out === '', err === '']).toEqual([expected !== 0, expected === 0]);
  });

  it('is 5 where nothing listens', async () => {
    const port = await aFreePort();
    const { exitCode, err } = await runCli(['list'], { baseUrl: `http://127.0.0.1:${port}` });
    expect(err).toBe(`The API could not be reached: connect ECONNREFUSED 127.0.0.1:${port}\n`);
    expect(exitCode).toBe(5);
  });

  it.each([
    [[], 2],
    [['lst'], 2],
    [['get'], 2],
    [['list', '--state', 'done'], 2],
    [['webhook'], 2],
    [['--help'], 0],
    [['submit', '--help'], 0],
    [['--version'], 0],
  ])('of %j is %i', async (args, expected) => {
    expect((await runCli(args)).exitCode).toBe(expected);
  });

  it.each([
    [{ MEDIA_JOBS_KEY: anApiKey }, 'MEDIA_JOBS_URL is not set.'],
    [
      { MEDIA_JOBS_URL: 'media.example.com', MEDIA_JOBS_KEY: anApiKey },
      'MEDIA_JOBS_URL is not the URL of a service.',
    ],
    [
      { MEDIA_JOBS_URL: 'https://a:b@media.example', MEDIA_JOBS_KEY: anApiKey },
      'MEDIA_JOBS_URL is not the URL',
    ],
    [
      { MEDIA_JOBS_URL: 'http://media.example', MEDIA_JOBS_KEY: anApiKey },
      'MEDIA_JOBS_URL is an http address',
    ],
    [
      { MEDIA_JOBS_URL: 'http://127.0.0.1.media.example', MEDIA_JOBS_KEY: anApiKey },
      'MEDIA_JOBS_URL is an http address',
    ],
    [{ MEDIA_JOBS_URL: 'https://media.example' }, 'MEDIA_JOBS_KEY is not set.'],
    [
      { MEDIA_JOBS_URL: 'https://media.example', MEDIA_JOBS_KEY: `${anApiKey}\n` },
      'MEDIA_JOBS_KEY has a space',
    ],
  ])('without a service or a key is 2 (%#)', async (environment, message) => {
    const { exitCode, err } = await runCli(['list'], { environment });
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
    expect(err).not.toContain(anApiKey);
  });

  it('is 2 where a website answers in place of the service', async () => {
    const { exitCode, err } = await listFrom({ status: 200, headers: { 'content-type': 'text/html' } });
    expect([exitCode, err]).toEqual([2, 'What answers at MEDIA_JOBS_URL is not this service.\n']);
  });

  it.each([301, 307])('is 2 where a %i leads on, and the key goes nowhere else', async (status) => {
    const api = await aStubApi({});
    const headers = { location: `${api.origin}/api/v1/jobs` };
    const { exitCode, err } = await listFrom({ status, headers }).finally(api.close);
    expect([exitCode, api.requests]).toEqual([2, []]);
    expect(err).toContain(`What answers at MEDIA_JOBS_URL leads on to ${api.origin}.\n`);
  });

  it('is 130 once it was interrupted', async () => {
    const { exitCode, err } = await runCli(['list'], { signal: AbortSignal.abort() });
    expect([exitCode, err]).toEqual([130, 'Interrupted.\n']);
  });
});

describe('a request that fails', () => {
  it('is sent again where the service may be back', async () => {
    const busy = { status: 503, body: problem('UNAVAILABLE', { retryable: true }) };
    const { exitCode, calls } = await listFrom([
      busy,
      busy,
      { status: 200, body: { jobs: [], nextCursor: null } },
    ]);
    expect([exitCode, calls]).toEqual([0, 3]);
  });

  it('is sent again where a key of its own keeps it from making two jobs', async () => {
    const route = `POST /api/v1/jobs/${queuedJobExample.jobId}/retry`;
    const api = await aStubApi({
      [route]: [
        { status: 503, body: problem('UNAVAILABLE') },
        { status: 201, body: queuedJobExample },
      ],
    });
    const line = ['retry', queuedJobExample.jobId];
    const { exitCode } = await runCli(line, { baseUrl: api.origin }).finally(api.close);
    const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect([exitCode, keys]).toEqual([0, ['id-1', 'id-1']]);
  });

  it('is not sent again where that would do a thing twice', async () => {
    const api = await aStubApi({
      'POST /api/v1/settings/webhook/test': { status: 503, body: problem('UNAVAILABLE') },
    });
    await runCli(['webhook', 'test'], { baseUrl: api.origin }).finally(api.close);
    expect(api.requests).toHaveLength(1);
  });
});

describe('an error', () => {
  const details = [{ path: 'query.limit', message: 'must be a whole number' }];
  const refusal = { status: 400, body: problem('VALIDATION_ERROR', { details }) };

  it('is told to people with its details and the id of the request', async () => {
    expect((await listFrom(refusal)).err).toBe(
      'So it is.\n  query.limit: must be a whole number\n(request request-1)\n',
    );
  });

  it('is told to programs as JSON', async () => {
    const { out, err } = await listFrom(refusal, '--json');
    expect(out).toBe('');
    expect(JSON.parse(err)).toEqual({
      error: {
        code: 'VALIDATION_ERROR',
        message: 'So it is.',
        retryable: false,
        status: 400,
        requestId: 'request-1',
        details,
        exitCode: 2,
      },
    });
  });

  it('has neither the key nor what signs a URL, nor anything that a terminal obeys', async () => {
    const message = `\u001b]0;gotcha\u0007No ${anApiKey} at https://s3.example/a.mp4?X-Amz-Signature=5d1f \u009b31mred`;
    const hostile = { status: 400, body: problem('VALIDATION_ERROR', { message }) };
    expect((await listFrom(hostile)).err).toBe(
      'No … at https://s3.example/a.mp4?… red\n(request request-1)\n',
    );
  });
});
