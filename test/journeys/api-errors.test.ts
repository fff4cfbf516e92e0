// @module-tag requests
import { randomUUID } from 'node:crypto';
import type { Fault } from '@media-jobs/local-stage/emulators';
import { beforeAll, describe, expect, it } from 'vitest';
import { newJobId } from '../../adapters/system/clock.ts';
import { ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import { errorBodySchema } from '../../core/api/error-body.ts';
import { contracts } from '../../core/api/registry.ts';
import { type ApiErrorCode, apiErrors } from '../../core/errors.ts';
import { aCompletedJob } from '../builders/jobs/ended-jobs.ts';
import { aRequest } from '../builders/jobs/jobs.ts';
import { type Answer, aStageWithTenants, type Sending, type StageWithTenants } from '../builders/stage/tenants.ts';

const { maxUploadBytesPerDay } = ownerLimitsSchema.parse({});

let world: StageWithTenants;
let completed: string;
let queued: string;
beforeAll(async () => {
  world = await aStageWithTenants();
  completed = await aCompleted();
  queued = ((await submit()).body as { jobId: string }).jobId;
});

const alice = (path: string, sending?: Sending) => world.sendAs(world.alice.key)(path, sending);
const submit = (sending: Sending = {}) => alice('/api/v1/jobs', { method: 'POST', body: aRequest, ...sending });
const post = (path: string) => alice(path, { method: 'POST' });

async function during(fault: Fault, work: () => Promise<Answer>): Promise<Answer> {
  const end = world.stage.faults.fail(fault);
  try {
    return await work();
  } finally {
    end();
  }
}

/** A completed job, whose files have expired. */
async function aCompleted(more: Parameters<typeof aCompletedJob>[0] = {}): Promise<string> {
  const jobId = newJobId(new Date());
  await world.store(aCompletedJob({ ownerId: world.alice.ownerId, jobId, ...more }));
  return jobId;
}

/** A record that no version of the service writes: reading it fails, whatever the request. */
async function aBrokenRecord(): Promise<string> {
  const jobId = newJobId(new Date());
  const broken = aCompletedJob({ ownerId: world.alice.ownerId, jobId, progress: 'much' as unknown as number });
  await world.store(broken).catch(() => undefined);
  return jobId;
}

/** All but the rate of a credential, which this stage does not limit, and buckets and presets of the stage, which it does not have. */
const reached: Record<
  Exclude<ApiErrorCode, 'RATE_LIMITED' | 'STORAGE_PROVIDER_OF_STAGE' | 'PRESET_OF_STAGE'>,
  () => Promise<Answer>
> = {
  VALIDATION_ERROR: () => submit({ body: { ...aRequest, extra: 1 } }),
  INVALID_JSON: () => submit({ body: '{"mode":' }),
  INVALID_URL: () => submit({ body: { ...aRequest, input: { url: 'file:///etc/passwd' } } }),
  INVALID_CURSOR: () => alice('/api/v1/jobs?cursor=forged'),
  PRESET_NOT_FOUND: () => submit({ body: { mode: 'preset', preset: 'unknown', input: aRequest.input } }),
  WEBHOOK_NOT_CONFIGURED: () => post('/api/v1/settings/webhook/test'),
  UNAUTHORIZED: () => world.send('/api/v1/jobs'),
  FORBIDDEN: () => alice('/api/v1/settings/webhook/secret'),
  NOT_FOUND: () => alice(`/api/v1/jobs/${randomUUID()}`),
  METHOD_NOT_ALLOWED: () => alice('/api/v1/jobs', { method: 'PATCH' }),
  JOB_NOT_CANCELLABLE: () => post(`/api/v1/jobs/${completed}/cancel`),
  JOB_NOT_RETRYABLE: () => post(`/api/v1/jobs/${completed}/retry`),
  JOB_NOT_TERMINAL: () => alice(`/api/v1/jobs/${queued}`, { method: 'DELETE' }),
  JOB_NOT_COMPLETED: () => post(`/api/v1/jobs/${queued}/playback`),
  JOB_NOT_PLAYABLE: async () => post(`/api/v1/jobs/${await aCompleted({ files: {} })}/playback`),
  JOB_FILES_EXPIRED: () => post(`/api/v1/jobs/${completed}/playback`),
  STORAGE_PROVIDER_IN_USE: async () => {
    const own = world.sendAs(world.alice.token);
    const body = {
      name: 'Archive',
      kind: 's3',
      bucket: 'archive-of-alice',
      region: 'eu-central-1',
      access: { type: 'keys', accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'a secret of alice'.replaceAll(' ', '-') },
    };
    const created = await own('/api/v1/storage-providers', { method: 'POST', body });
    const { id } = created.body as { id: string };
    await alice('/api/v1/settings', { method: 'PUT', body: { defaultStorageProviderId: id } });
    const answer = await own(`/api/v1/storage-providers/${id}`, { method: 'DELETE' });
    await alice('/api/v1/settings', { method: 'PUT', body: { defaultStorageProviderId: null } });
    return answer;
  },
  PRESET_EXISTS: async () => {
    const { input: _, webhookUrl: __, ...request } = aRequest as typeof aRequest & { webhookUrl?: string };
    const store = () => alice('/api/v1/presets', { method: 'POST', body: { name: 'web', version: 1, request } });
    await store();
    return store();
  },
  OWNER_BEING_ERASED: async () => {
    const { ownerId, token } = await world.aTenant('carol');
    const carol = world.sendAs(token);
    const erased = await carol('/api/v1/owner', { method: 'DELETE', body: { confirm: ownerId } });
    expect(erased).toMatchObject({ status: 202, body: { ownerId } });
    return carol('/api/v1/keys', { method: 'POST', body: { name: 'new' } });
  },
  SECRET_ROTATED_RECENTLY: async () => {
    const rotate = () => world.sendAs(world.alice.token)('/api/v1/settings/webhook/secret/rotate', { method: 'POST' });
    for (let secrets = 0; secrets < 5; secrets++) await rotate();
    return rotate();
  },
  PAYLOAD_TOO_LARGE: () => submit({ body: { ...aRequest, metadata: { a: 'x'.repeat(17 * 1024) } } }),
  UNSUPPORTED_MEDIA_TYPE: () => submit({ headers: { 'content-type': 'text/plain' } }),
  IDEMPOTENCY_KEY_REUSED: async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await submit({ headers });
    return submit({ headers, body: { ...aRequest, metadata: { a: '1' } } });
  },
  LIMIT_EXCEEDED: async () => {
    const body = { filename: 'film.mp4', contentType: 'video/mp4', sizeBytes: 5_000_000_000 };
    const announce = () => alice('/api/v1/uploads', { method: 'POST', body });
    for (let bytes = 0; bytes < maxUploadBytesPerDay; bytes += body.sizeBytes) await announce();
    return announce();
  },
  INTERNAL_ERROR: async () => alice(`/api/v1/jobs/${await aBrokenRecord()}`),
  UNAVAILABLE: () => during({ service: 'dynamodb', kind: 'error' }, () => alice('/api/v1/settings')),
};

it.each(Object.entries(reached))('every error code %s is returned in the shape of all errors', async (code, reach) => {
  const { status, headers, body } = await reach();
  const { error } = errorBodySchema.parse(body);
  expect(error).toMatchObject({ code, retryable: apiErrors[code as ApiErrorCode].retryable });
  expect(status).toBe(apiErrors[code as ApiErrorCode].status);
  expect(error.requestId).toMatch(/^[\w-]{36}$/);
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
});

describe('an outage', () => {
  it.each<Fault>([
    { service: 'dynamodb', kind: 'error' },
    { service: 'dynamodb', kind: 'reset' },
    { service: 'dynamodb', operation: 'PutItem', kind: 'error' },
  ])('of $service $operation by $kind is 503 with Retry-After', async (fault) => {
    const answer = await during(fault, () => submit());
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE', retryable: true } } });
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  it.each(['error', 'reset'] as const)('of the queue by %s rejects no job', async (kind) => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await during({ service: 'sqs', operation: 'SendMessage', kind }, () => submit({ headers }));
    expect(first).toMatchObject({ status: 201, body: { state: 'queued' } });
    world.stage.resetCalls();
    const answer = await submit({ headers });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    expect(world.stage.calls().sqs.SendMessage).toBe(1);
    const { jobId } = answer.body as { jobId: string };
    expect(await alice(`/api/v1/jobs/${jobId}`)).toMatchObject({ body: { state: 'queued' } });
  });
});

it('an internal failure is logged with its cause, which no response contains', async () => {
  const jobId = await aBrokenRecord();
  const { status, text, body } = await alice(`/api/v1/jobs/${jobId}`);
  expect(status).toBe(500);
  expect(text).not.toMatch(/progress|zod|stack|at /i);
  const { requestId } = errorBodySchema.parse(body).error;
  const errorLines = () => world.log.filter((line) => line.includes(requestId) && line.includes('"ERROR"'));
  await expect.poll(errorLines).toEqual([expect.stringContaining('progress')]);
});

describe('a cross-origin request', () => {
  const origin = 'https://page.example';

  it('may send exactly the specified headers, and no credentials', async () => {
    const { status, headers, text } = await world.send('/api/v1/jobs', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-api-key',
      },
    });
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(',').sort();
    expect(allowed).toEqual(['authorization', 'content-type', 'x-api-key']);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('of any origin passes the preflight of every route', async () => {
    for (const { path, method } of contracts) {
      const { status, headers } = await world.send(path.replaceAll(/\{\w+\}/g, 'x'), {
        method: 'OPTIONS',
        headers: { origin: 'null', 'access-control-request-method': method },
      });
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
    }
  });

  it.each([
    ['a success', '/api/v1/openapi.json', 200],
    ['a rejection', '/api/v1/jobs', 401],
    ['what no route takes', '/api/v1/nothing', 404],
  ])('may read %s', async (_, path, status) => {
    const answer = await world.send(path, { headers: { origin } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(',').sort();
    const ofFiles = ['accept-ranges', 'content-disposition', 'content-length'];
    expect(exposed).toEqual([
      ...ofFiles,
      'etag',
      'idempotent-replayed',
      'location',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
    ]);
  });
});
