import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { aRequest } from '../builders/jobs/jobs.ts';
import { aStageWithTenants, type Sending, type StageWithTenants } from '../builders/stage/tenants.ts';

// @module-tag requests

type Job = { jobId: string; state: string };

let world: StageWithTenants;
beforeAll(async () => {
  world = await aStageWithTenants();
});

const alice = (path: string, sending?: Sending) => world.sendAs(world.alice.key)(path, sending);
const aliceInPerson = (path: string, sending?: Sending) => world.sendAs(world.alice.token)(path, sending);
const submit = async (more: Sending = {}) => {
  const answer = await alice('/api/v1/jobs', { method: 'POST', body: aRequest, ...more });
  return { ...answer, job: answer.body as Job };
};

describe('a job over HTTP', () => {
  it('is created, read, cancelled, retried and deleted', async () => {
    const { status, headers, job } = await submit({ body: { ...aRequest, metadata: { customer: '4711' } } });
    const path = headers.get('location') ?? '';
    expect({ status, path }).toEqual({ status: 201, path: `/api/v1/jobs/${job.jobId}` });
    expect(job).toMatchObject({ state: 'queued', progress: 0, stage: 'queued', metadata: { customer: '4711' } });

    expect((await alice(path)).body).toEqual({ ...job, position: 1 });
    const upperCasePath = `/api/v1/jobs/${job.jobId.toUpperCase()}`;
    expect((await alice(upperCasePath)).body).toMatchObject({ jobId: job.jobId });
    const byCustomer = await alice('/api/v1/jobs?metadata.customer=4711&limit=100');
    expect((await alice('/api/v1/jobs?metadata%5Bcustomer%5D=4711&limit=100')).body).toEqual(byCustomer.body);
    expect(byCustomer.body).toEqual({ jobs: [job], nextCursor: null });
    const found = await alice('/api/v1/jobs?search=4711&state=queued&state=failed&order=asc');
    expect(found.body).toEqual(byCustomer.body);
    expect((await alice('/api/v1/jobs?search=4711&metadata.customer=4711')).body).toMatchObject({
      error: { details: [{ path: 'query.search' }] },
    });
    expect((await alice(`${path}/log`)).body).toEqual({ attempts: [] });
    expect(await alice(path, { method: 'DELETE' })).toMatchObject({ status: 409 });

    const cancelled = await alice(`${path}/cancel`, { method: 'POST' });
    expect(cancelled).toMatchObject({ status: 200, body: { jobId: job.jobId, state: 'cancelled' } });
    expect(await alice(`${path}/cancel`, { method: 'POST', body: {} })).toMatchObject({ status: 200 });

    const retried = await alice(`${path}/retry`, { method: 'POST' });
    expect(retried).toMatchObject({ status: 201, body: { state: 'queued', retryOf: job.jobId } });

    expect(await alice(path, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(await alice(path)).toMatchObject({ status: 404 });
    expect(await alice(`${path}/log`)).toMatchObject({ status: 404 });
  });
});

describe('the account over HTTP', () => {
  it('counts and lists its jobs: queued, ended, and not any more once they are deleted', async () => {
    const bob = world.sendAs(world.bob.key);
    const today = async () => {
      const usage = (await bob('/api/v1/usage')).body as { days: { jobs: object }[]; truncated: boolean };
      expect(usage).toMatchObject({ days: { length: 31 }, truncated: false });
      return usage.days.at(-1)?.jobs;
    };
    const before = { queued: 0, processing: 0, completed: 0, failed: 0, rejected: 0, cancelled: 0 };
    const { jobId } = (await bob('/api/v1/jobs', { method: 'POST', body: aRequest })).body as Job;
    expect(await today()).toEqual({ ...before, queued: 1 });
    const listed = async (state: string) => ((await bob(`/api/v1/jobs?state=${state}`)).body as { jobs: Job[] }).jobs;
    expect(await listed('queued')).toMatchObject([{ jobId }]);
    expect(await listed('processing')).toEqual([]);
    await bob(`/api/v1/jobs/${jobId}/cancel`, { method: 'POST' });
    // No counter counts the job yet: deliveries are paused.
    expect(await today()).toEqual({ ...before, cancelled: 1 });
    await bob(`/api/v1/jobs/${jobId}`, { method: 'DELETE' });
    expect(await today()).toEqual(before);
  });

  it('creates keys that see the data of the session, and a revoked key fails at once', async () => {
    const { job } = await submit();
    const made = await aliceInPerson('/api/v1/keys', { method: 'POST', body: { name: 'second' } });
    const { key, keyId } = made.body as { key: string; keyId: string };
    expect(made.status).toBe(201);
    expect(await aliceInPerson('/api/v1/keys')).toMatchObject({
      body: { keys: expect.arrayContaining([expect.objectContaining({ keyId, name: 'second' })]) },
    });

    const read = () => world.sendAs(key)(`/api/v1/jobs/${job.jobId}`);
    // Few: each starts a sandbox, and a loaded machine must start all of them within the time-out of the function.
    const inFlight = Array.from({ length: 10 }, read);
    expect(await inFlight[0]).toMatchObject({ status: 200, body: job });
    expect(await aliceInPerson(`/api/v1/keys/${keyId}`, { method: 'DELETE' })).toMatchObject({ status: 204 });
    const afterwards = await Promise.all(Array.from({ length: 50 }, read));
    expect(new Set(afterwards.map(({ status }) => status))).toEqual(new Set([401]));
    for (const { status } of await Promise.all(inFlight)) expect([200, 401]).toContain(status);
  });
});

it('the OpenAPI document is public, and equal to docs/openapi.json', async () => {
  const { status, body } = await world.send('/api/v1/openapi.json');
  expect(status).toBe(200);
  expect(body).toEqual(JSON.parse(await readFile('docs/openapi.json', 'utf8')));
});

describe('calls per request', () => {
  /** The calls of one request, without the write of the key's last use. */
  const callsOf = async (work: () => Promise<unknown>) => {
    await alice('/api/v1/settings');
    world.stage.resetCalls();
    await work();
    const { dynamodb, sqs, sfn } = world.stage.calls();
    // The poller of the workers and the schedule make calls at the same time.
    const { UpdateItem: _, Query: __, ...table } = dynamodb;
    const { ReceiveMessage: ___, DeleteMessage: ____, ...queue } = sqs;
    return { ...table, ...queue, ...sfn };
  };

  it.each<[string, () => Promise<unknown>, Record<string, number>]>([
    // The job, and before it the entry of its event.
    ['submitting a job', () => submit(), { GetItem: 2, PutItem: 2, SendMessage: 1 }],
    [
      'submitting a job with an Idempotency-Key',
      () => submit({ headers: { 'idempotency-key': randomUUID() } }),
      { GetItem: 2, PutItem: 3, SendMessage: 1 },
    ],
    // The second read of the job is consistent.
    ['reading a job that does not exist', () => alice(`/api/v1/jobs/${randomUUID()}`), { GetItem: 3 }],
    ['an id that cannot be one', () => alice(`/api/v1/jobs/${'x'.repeat(5_000)}`), { GetItem: 1 }],
    ['a key with a bad checksum', () => world.sendAs(`nte_${'a'.repeat(48)}`)('/api/v1/jobs'), {}],
    ['a session', () => aliceInPerson('/api/v1/settings'), { GetItem: 1 }],
  ])('%s', async (_, work, calls) => expect(await callsOf(work)).toEqual(calls));
});
