import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { type Authenticate, answerInTime, countRequests } from '../../../../adapters/runtime/http/authenticate.ts';
import { publicRoute, route } from '../../../../adapters/runtime/http/route.ts';
import { logger } from '../../../../adapters/runtime/logger.ts';
import { keyGrantSchema } from '../../../../core/access/key-record.ts';
import { limitExceeded } from '../../../../core/access/owner-limits.ts';
import { contract } from '../../../../core/api/contract.ts';
import { ConflictError } from '../../../../core/async.ts';
import { AppError } from '../../../../core/errors.ts';
import { version } from '../../../../core/version.ts';
import { callHandler } from '../../../builders/http/a-gateway-event.ts';

const common = {
  path: '/api/v1/things',
  function: 'things',
  tag: 'Things',
  summary: 'A thing',
  errors: [],
  uses: [],
} as const;

const getThing = contract({
  ...common,
  id: 'getThing',
  method: 'GET',
  callers: ['key', 'session'],
  scope: 'jobs:read',
  responses: { 200: { description: 'It', schema: z.object({ name: z.string() }) } },
});
const signIn = contract({ ...getThing, id: 'signInThing', callers: ['session'] });
const about = contract({ ...getThing, id: 'aboutThings', callers: [] });

const key = keyGrantSchema.parse({ ownerId: 'owner-1', keyId: 'key-1', hash: 'hash of key-1' });
const byKey: Authenticate = async () => ({ principal: { ownerId: 'owner-1', caller: 'key', key } });
const failing = (error: unknown) => route(getThing, () => Promise.reject(error), byKey);

let logged: unknown[];
beforeEach(() => {
  logged = [];
  vi.spyOn(logger, 'warn').mockImplementation(() => {});
  vi.spyOn(logger, 'error').mockImplementation((...entry) => void logged.push(entry[1]));
});
afterEach(() => vi.restoreAllMocks());

describe('a stage whose dashboard has another origin', () => {
  const origin = 'https://app.example';
  const call = (handler: () => ReturnType<typeof route>, headers: Record<string, string> = { origin }) => {
    vi.stubEnv('DASHBOARD_ORIGIN', origin);
    onTestFinished(() => void vi.unstubAllEnvs());
    return callHandler(handler(), { headers });
  };

  it.each([
    ['an answer', 200, async () => ({ status: 200, body: { name: 'a' } }) as const],
    ['an error', 404, () => Promise.reject(new AppError('NOT_FOUND', 'There is no such thing.'))],
    ['a failure', 500, () => Promise.reject(new TypeError('x is undefined'))],
  ])('has CORS headers in %s', async (_, status, app) => {
    const answer = await call(() => route(getThing, app, byKey));
    expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': origin } });
  });

  it('has them in the rejection of a credential', async () => {
    const unauthorized = () => Promise.reject(new AppError('UNAUTHORIZED', 'No.'));
    const answer = await call(() => route(getThing, () => Promise.reject(), unauthorized));
    expect(answer).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': origin } });
  });

  it('has none for another origin', async () => {
    const answer = await call(() => failing(new AppError('NOT_FOUND', '')), { origin: 'https://b.example' });
    expect(answer.headers).toMatchObject({ vary: 'origin' });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('a route', () => {
  it('returns only the fields of its contract', async () => {
    const app = async () => ({ status: 200, body: { name: 'a', secret: 's' } }) as const;
    expect(await callHandler(route(getThing, app, byKey))).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'content-security-policy': "sandbox; default-src 'none'",
        'media-jobs-version': version,
        'x-content-type-options': 'nosniff',
      },
      body: { name: 'a' },
    });
  });

  it('that only sessions may call is FORBIDDEN for a key, whose use is not recorded', async () => {
    const recordUse = vi.fn(async () => {});
    const app = async () => ({ status: 200, body: { name: 'a' } }) as const;
    const handler = route(signIn, app, async (headers) => ({ ...(await byKey(headers)), recordUse }));
    expect(await callHandler(handler)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(recordUse).not.toHaveBeenCalled();
  });

  it('counts a request once its caller is known, and answers 429 above the rate, until which it makes no further call', async () => {
    let calls = 0;
    const buckets = { take: async () => (++calls === 1 ? Date.now() : ('none' as const)) };
    const limit = { requestsPerSecond: 1, burst: 12 };
    const counted = () => countRequests(limit, buckets, () => 0);
    const handler = route(getThing, async () => ({ status: 200, body: { name: 'a' } }) as const, byKey, counted());
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await callHandler(handler)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const _ of [1, 2, 3]) {
      expect(await callHandler(handler)).toMatchObject({
        status: 429,
        headers: { 'retry-after': '10', ratelimit: '"requests";r=0;t=10', 'ratelimit-policy': '"requests";q=12;w=12' },
        body: { error: { code: 'RATE_LIMITED', retryable: true } },
      });
    }
    expect(calls).toBe(2);
    const unknown = () => Promise.reject(new AppError('UNAUTHORIZED', 'No.'));
    const rejected = route(getThing, () => Promise.reject(), unknown, counted());
    expect((await callHandler(rejected)).status).toBe(401);
    expect(calls).toBe(2);
  });

  it('counts a request as several if its contract says so', async () => {
    const count = vi.fn(async () => {});
    const app = async () => ({ status: 200, body: { name: 'a' } }) as const;
    await callHandler(route({ ...getThing, countsAs: 10 }, app, byKey, count));
    expect(count).toHaveBeenCalledWith(expect.anything(), 10);
  });

  it('counts a session token as one, however its signature is written', async () => {
    const hashes: string[] = [];
    const take = async (hash: string) => hashes.push(hash);
    const count = countRequests({ requestsPerSecond: 1, burst: 1 }, { take }, () => 0);
    const tokens = ['head.claims.YQ', 'head.claims.YR', 'head.others.YQ', 'head.others.YR'];
    for (const token of tokens) await count({ authorization: `Bearer ${token}` });
    expect(hashes).toHaveLength(2);
  });

  it.each([
    ['does not come', () => new Promise<never>(() => {})],
    ['is an error', () => Promise.reject(new Error('The table is not there'))],
  ])('passes a request if the answer about its rate %s', async (_, take) => {
    expect(await answerInTime(take())).toBe('unknown');
  });

  it('that needs a scope is FORBIDDEN for a key without it', async () => {
    const app = async () => ({ status: 200, body: { name: 'a' } }) as const;
    const uploader: Authenticate = async () => ({
      principal: { ownerId: 'owner-1', caller: 'key', key: { ...key, scopes: ['uploads'] } },
    });
    expect(await callHandler(route(getThing, app, uploader))).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', message: 'This API key does not have the scope jobs:read.' } },
    });
    const undeclared = contract({ ...getThing, id: 'openThing', scope: undefined });
    expect((await callHandler(route(undeclared, app, byKey))).status).toBe(403);
  });

  it.each(['a good request', 'a rejected request'])('answers %s after the use of its key is recorded', async (kind) => {
    const useRecorded = Promise.withResolvers<void>();
    const app = async () => ({ status: 200, body: { name: 'a' } }) as const;
    const handler = route(getThing, app, async (headers) => ({
      ...(await byKey(headers)),
      recordUse: () => useRecorded.promise,
    }));
    let answered = false;
    const response = callHandler(handler, kind === 'a good request' ? {} : { query: { x: '1' } }).then((result) => {
      answered = true;
      return result;
    });
    await new Promise(setImmediate);
    expect(answered).toBe(false);
    useRecorded.resolve();
    expect((await response).status).toBe(kind === 'a good request' ? 200 : 400);
  });

  it('answers although the use of its key cannot be recorded', async () => {
    const app = async () => ({ status: 200, body: { name: 'a' } }) as const;
    const recordUse = () => Promise.reject(new Error('throttled'));
    const handler = route(getThing, app, async (headers) => ({ ...(await byKey(headers)), recordUse }));
    expect((await callHandler(handler)).status).toBe(200);
    expect((await callHandler(handler, { query: { x: '1' } })).status).toBe(400);
  });

  it('that is public requires no credentials', async () => {
    const handler = publicRoute(about, async () => ({ status: 200, body: { name: 'a' } }) as const);
    expect((await callHandler(handler)).status).toBe(200);
  });
});

describe('a failure', () => {
  it('of the caller has the shape of all errors and is not logged', async () => {
    const error = new AppError('JOB_NOT_TERMINAL', 'Not yet.', { details: [{ path: 'id', message: 'Early' }] });
    expect(await callHandler(failing(error))).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'JOB_NOT_TERMINAL',
          message: 'Not yet.',
          retryable: false,
          requestId: 'request-1',
          details: [{ path: 'id', message: 'Early' }],
        },
      },
    });
    expect(logged).toEqual([]);
  });

  it.each([
    ['that frees itself is', 60, true],
    ['that waiting does not free is not', undefined, false],
  ])('by a limit %s retryable', async (_, retryAfterSeconds, retryable) => {
    const error = limitExceeded(
      { limit: 'maxKeys', value: 1, use: 1, ...(retryAfterSeconds && { retryAfterSeconds }) },
      'Full',
    );
    expect(await callHandler(failing(error))).toMatchObject({ status: 429, body: { error: { retryable } } });
  });

  it('that is unexpected is INTERNAL_ERROR without its cause, which is logged', async () => {
    const cause = new TypeError('cannot read the secret');
    const response = await callHandler(failing(cause));
    expect(response).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR', retryable: true } } });
    expect(JSON.stringify(response)).not.toContain('secret');
    expect(logged).toEqual([expect.objectContaining({ cause })]);
  });

  it('of a response that does not match its contract is INTERNAL_ERROR', async () => {
    const app = async () => ({ status: 200, body: { name: 1 as unknown as string } }) as const;
    expect((await callHandler(route(getThing, app, byKey))).status).toBe(500);
  });

  it.each([
    ['an outage of AWS', { name: 'InternalServerError', $fault: 'server' }, 503],
    ['throttling by AWS', { name: 'ProvisionedThroughputExceededException', $fault: 'client' }, 503],
    ['a connection to AWS that broke', { name: 'TimeoutError' }, 503],
    ['a call that AWS rejects', { name: 'ValidationException', $fault: 'client' }, 500],
  ])('from %s', async (_, fields, status) => {
    const error = Object.assign(new Error('from AWS'), { $metadata: { attempts: 4 }, ...fields });
    const response = await callHandler(failing(error));
    expect(response.status).toBe(status);
    expect(response.headers['retry-after']).toBe(status === 503 ? '2' : undefined);
  });

  it('of an item that others keep writing is 503', async () => {
    const response = await callHandler(failing(new ConflictError()));
    expect(response).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
  });

  it('to answer in time is 503 before the function times out', async () => {
    const handler = route(getThing, () => new Promise<never>(() => {}), byKey);
    const response = await callHandler(handler, { remainingMs: 501 });
    expect(response).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
  });

  it('of authentication has WWW-Authenticate', async () => {
    const nobody: Authenticate = () => Promise.reject(new AppError('UNAUTHORIZED', 'No.'));
    const handler = route(getThing, async () => ({ status: 200, body: { name: 'a' } }) as const, nobody);
    expect(await callHandler(handler)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  });
});
