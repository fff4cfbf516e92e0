import { writeFile } from 'node:fs/promises';
import { queuedJobExample } from '@media-jobs/core/api';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import { aWebServer } from '@media-jobs/testing/web-server';
import { describe, expect, it } from 'vitest';
import { toFailure } from '../src/index.ts';
import { anApiKey, aStubApi, runCli } from './testing.ts';

const problem = (code: string, more: object = {}) => ({
  error: { code, message: 'Rejected.', retryable: false, requestId: 'request-1', ...more },
});

const unavailable = { status: 503, body: problem('UNAVAILABLE', { retryable: true }) };

/** Runs `list` against an API with this response. */
async function listWith(response: Parameters<typeof aStubApi>[0][string], ...more: string[]) {
  const api = await aStubApi({ 'GET /api/v1/jobs': response });
  const { exitCode, out, err } = await runCli(['list', ...more], { baseUrl: api.origin });
  return { exitCode, out, err, calls: api.requests.length };
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
    [429, problem('LIMIT_EXCEEDED'), 4],
    [429, problem('LIMIT_EXCEEDED', { retryable: true }), 5],
    [429, { message: 'Too Many Requests' }, 5],
    [500, problem('INTERNAL_ERROR', { retryable: true }), 5],
    [503, problem('UNAVAILABLE', { retryable: true }), 5],
  ])('a response with status %i and body %j exits with %i', async (status, body, expected) => {
    const { exitCode, out, err } = await listWith({ status, body });
    expect(exitCode).toBe(expected);
    expect([out === '', err === '']).toEqual([expected !== 0, expected === 0]);
  });

  it('a refused connection exits with 5', async () => {
    const port = await aClosedPort();
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
  ])('the arguments %j exit with %i', async (args, expected) => expect((await runCli(args)).exitCode).toBe(expected));

  it.each([
    [['submit', '--recipe', 'mute', '--download', 'video.mov'], 'Give the inputs first: --download takes'],
    [['keys', 'create', 'ci', '--expires', '1y'], '--expires: Must be a time such as 2026-03-01T12:00:00Z, or'],
    [['keys', 'create', 'ci', '--expires', '2027-03-01'], '--expires: Must be a time'],
  ])('the arguments %j exit with 2 and say what to write', async (args, message) => {
    const { exitCode, err } = await runCli(args);
    expect(err).toContain(message);
    expect(exitCode).toBe(2);
  });

  it.each([
    [{ MEDIA_JOBS_KEY: anApiKey }, 'MEDIA_JOBS_URL is not set.'],
    [{ MEDIA_JOBS_URL: 'media.example.com', MEDIA_JOBS_KEY: anApiKey }, 'MEDIA_JOBS_URL is not the URL of a service.'],
    [{ MEDIA_JOBS_URL: 'https://a:b@media.example', MEDIA_JOBS_KEY: anApiKey }, 'MEDIA_JOBS_URL is not the URL'],
    [
      { MEDIA_JOBS_URL: 'https://media.example/api/v1/', MEDIA_JOBS_KEY: anApiKey },
      'MEDIA_JOBS_URL is not the URL of a service.\nSet it to the address of the service without /api/v1',
    ],
    [{ MEDIA_JOBS_URL: 'http://media.example', MEDIA_JOBS_KEY: anApiKey }, 'MEDIA_JOBS_URL is an http URL'],
    [{ MEDIA_JOBS_URL: 'http://127.0.0.1.media.example', MEDIA_JOBS_KEY: anApiKey }, 'MEDIA_JOBS_URL is an http URL'],
    [{ MEDIA_JOBS_URL: 'https://media.example' }, 'MEDIA_JOBS_KEY is not set.'],
    [{ MEDIA_JOBS_URL: 'https://media.example', MEDIA_JOBS_KEY: `${anApiKey}\n` }, 'MEDIA_JOBS_KEY contains a space'],
  ])('an invalid MEDIA_JOBS_URL or MEDIA_JOBS_KEY exits with 2 (%#)', async (environment, message) => {
    const { exitCode, err } = await runCli(['list'], { environment });
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
    expect(err).not.toContain(anApiKey);
  });

  it('a server that is not the service exits with 2', async () => {
    const { exitCode, err } = await listWith({ status: 200, headers: { 'content-type': 'text/html' } });
    expect(exitCode).toBe(2);
    expect(err).toContain('The server at MEDIA_JOBS_URL is not a media jobs service');
  });

  it.each([301, 307])('a redirect (%i) exits with 2, and the key is not sent to its target', async (status) => {
    const api = await aStubApi({});
    const headers = { location: `${api.origin}/api/v1/jobs` };
    const { exitCode, err } = await listWith({ status, headers });
    expect([exitCode, api.requests]).toEqual([2, []]);
    expect(err).toContain(`The server at MEDIA_JOBS_URL redirects to ${api.origin}.\n`);
  });

  it('watch stops at once if the server is not the service', async () => {
    const { jobId } = queuedJobExample;
    const page = { status: 200, headers: { 'content-type': 'text/html' } };
    const api = await aStubApi({ 'GET /api/v1/events': page });
    const { exitCode, err } = await runCli(['watch', jobId], { baseUrl: api.origin });
    expect([exitCode, api.requests.length]).toEqual([2, 1]);
    expect(err).toContain('The server at MEDIA_JOBS_URL is not a media jobs service');
  });

  it('a folder in place of a file exits with 6', async () => {
    const { exitCode, err } = await runCli(['providers', 'rotate', 'sp_1', '--secret-file', '.']);
    expect(err).toContain('EISDIR');
    expect(exitCode).toBe(6);
  });

  it('a full disk exits with 6', async () => {
    const error = await writeFile('/dev/full', 'text').catch((thrown: unknown) => thrown);
    expect(toFailure(error)).toMatchObject({ exit: 'file', code: 'ENOSPC' });
  });

  it('an interrupted command exits with 130', async () => {
    const { exitCode, err } = await runCli(['list'], { signal: AbortSignal.abort() });
    expect([exitCode, err]).toEqual([130, 'Interrupted.\n']);
  });
});

describe('a failed request', () => {
  it('a failed request is retried if the service may recover', async () => {
    const { exitCode, calls } = await listWith([
      unavailable,
      unavailable,
      { status: 200, body: { jobs: [], nextCursor: null } },
    ]);
    expect([exitCode, calls]).toEqual([0, 3]);
  });

  it('a request is sent once if the service asks for a longer wait, and the error says when to try again', async () => {
    const answer = { status: 429, headers: { 'retry-after': '4500' }, body: { message: 'Too Many Requests' } };
    const { exitCode, err, calls } = await listWith(answer);
    expect([exitCode, calls]).toEqual([5, 1]);
    expect(err).toBe('The API answered 429: too many requests at once.\nTry again in 1 h 15 min.\n');
  });

  it('a failed POST is retried if it has an idempotency key', async () => {
    const route = `POST /api/v1/jobs/${queuedJobExample.jobId}/retry`;
    const api = await aStubApi({ [route]: [unavailable, { status: 201, body: queuedJobExample }] });
    const line = ['retry', queuedJobExample.jobId];
    const { exitCode } = await runCli(line, { baseUrl: api.origin });
    const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect([exitCode, keys]).toEqual([0, ['id-1', 'id-1']]);
  });

  it('a retry whose response was lost names the key with which a rerun makes no second job', async () => {
    const { jobId } = queuedJobExample;
    const api = await aStubApi({ [`POST /api/v1/jobs/${jobId}/retry`]: unavailable });
    const runRetry = (...args: string[]) => runCli(['retry', jobId, ...args], { baseUrl: api.origin });
    const { err } = await runRetry();
    expect(err).toContain('A rerun with --idempotency-key id-1 makes no second job');
    await runRetry('--idempotency-key', 'first-try');
    expect(api.requests.at(-1)?.headers['idempotency-key']).toBe('first-try');
  });

  it('a failed POST without an idempotency key is not retried', async () => {
    const api = await aStubApi({ 'POST /api/v1/settings/webhook/test': unavailable });
    await runCli(['webhook', 'test'], { baseUrl: api.origin });
    expect(api.requests).toHaveLength(1);
  });

  const { jobId } = queuedJobExample;
  it.each([
    ['cancel', ['cancel', jobId], 3],
    ['estimate', ['estimate', 'https://example.com/a.mov', '--recipe', 'compress', '--probe-job', jobId], 3],
    ['redeliver', ['redeliver', jobId], 1],
  ])('%s %j is sent %i times', async (_, args, expected) => {
    const api = await aStubApi({
      [`POST /api/v1/jobs/${jobId}/cancel`]: unavailable,
      'POST /api/v1/jobs/estimate': unavailable,
      [`POST /api/v1/jobs/${jobId}/deliveries`]: unavailable,
    });
    const { exitCode } = await runCli(args, { baseUrl: api.origin });
    expect([exitCode, api.requests.length]).toEqual([5, expected]);
  });

  it('a request over a limit that waiting does not lift is not retried', async () => {
    expect((await listWith({ status: 429, body: problem('LIMIT_EXCEEDED') })).calls).toBe(1);
  });

  it('an error response that breaks off is retried', async () => {
    const api = await aWebServer((_, response, before) => {
      if (before.length > 0) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"jobs":[],"nextCursor":null}');
        return;
      }
      response.writeHead(503, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    });
    const { exitCode } = await runCli(['list'], { baseUrl: api.origin });
    expect([exitCode, api.requests.length]).toEqual([0, 2]);
  });
});

describe('an error', () => {
  const details = [{ path: 'query.limit', message: 'must be a whole number' }];
  const rejection = { status: 400, body: problem('VALIDATION_ERROR', { details }) };

  it('an error is shown with its details and the request id', async () => {
    expect((await listWith(rejection)).err).toBe(
      'Rejected.\n  query.limit: must be a whole number\n(request request-1)\n',
    );
  });

  it('--json prints an error as JSON', async () => {
    const { out, err } = await listWith(rejection, '--json');
    expect(out).toBe('');
    expect(JSON.parse(err)).toEqual({
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Rejected.',
        retryable: false,
        status: 400,
        requestId: 'request-1',
        details,
        exitCode: 2,
      },
    });
  });

  it('an error is shown without key, URL signatures and terminal control characters', async () => {
    const message = `\u001b]0;gotcha\u0007No ${anApiKey} at https://s3.example/a.mp4?X-Amz-Signature=5d1f \u009b31mred`;
    const hostile = { status: 400, body: problem('VALIDATION_ERROR', { message }) };
    expect((await listWith(hostile)).err).toBe('No … at https://s3.example/a.mp4?… red\n(request request-1)\n');
  });
});
