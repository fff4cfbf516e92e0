import { describe, expect, it, vi } from 'vitest';
import { keyGrantSchema, type SpendingLimits } from '../../../core/access/key-record.ts';
import { nextEntry } from '../../../core/jobs/running-limit.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { claim } from '../../../core/jobs/transitions.ts';
import type { SpendingCounters } from '../../../core/spending/spending-counter.ts';
import { aCreateJobRoute, failed } from '../../builders/http/create-job-route.ts';
import { aJobId, later, start } from '../../builders/jobs/jobs.ts';

describe('the limit of unfinished jobs', () => {
  it('rejects the job that exceeds it with limit and use, until one has ended, and counts each owner apart', async () => {
    const { post, list, queued, table } = aCreateJobRoute();
    for (let n = 0; n < 3; n += 1) await post();
    await expect(post()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      retryAfterSeconds: 60,
      details: [{ limit: 'maxUnfinishedJobs', value: 3, use: 3 }],
    });
    expect(await list()).toHaveLength(3);
    expect(await post({}, undefined, 'owner-2')).toMatchObject({ status: 201 });
    const { job, guard } = cancel(await queued(), { now: later(1_000), webhookTarget: null, deliveryId: 'd' });
    await table.write({ job, guard });
    expect(await post()).toMatchObject({ status: 201 });
  });

  it('counts queued and processing jobs together, but no entry that a crash has left', async () => {
    const { post, queued, table, running } = aCreateJobRoute();
    await post();
    const first = await queued();
    await running.enter(nextEntry(first), { max: 2 });
    await table.write(claim(first, 'lease-1', later(1_000)));
    await running.enter({ ownerId: 'owner-1', jobId: aJobId(98), attempt: 1 }, { max: 2 });
    for (let n = 0; n < 2; n += 1) expect(await post()).toMatchObject({ status: 201 });
    await expect(post()).rejects.toMatchObject({ details: [{ value: 3, use: 3 }] });
  });

  it('of 0 for a key admits no job of it, and tells it not to wait', async () => {
    const { post, list } = aCreateJobRoute();
    const limits = { maxUnfinishedJobs: 0 };
    const key = keyGrantSchema.parse({ ownerId: 'owner-1', keyId: 'key-1', hash: 'hash', limits });
    await expect(post({}, undefined, { ownerId: 'owner-1', caller: 'key', key })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'The limit maxUnfinishedJobs is 0: ask the operator of the service to raise it.',
      retryAfterSeconds: undefined,
      details: [{ value: 0, use: 0 }],
    });
    expect(await list()).toEqual([]);
  });

  it('does not exist for a team, whose keys keep theirs', async () => {
    const { post } = aCreateJobRoute({ maxUnfinishedJobs: undefined, maxRunningJobs: 2 });
    for (let n = 0; n < 5; n += 1) expect(await post()).toMatchObject({ status: 201 });
    const limits = { maxUnfinishedJobs: 5 };
    const key = keyGrantSchema.parse({ ownerId: 'owner-1', keyId: 'key-1', hash: 'hash', limits });
    await expect(post({}, undefined, { ownerId: 'owner-1', caller: 'key', key })).rejects.toMatchObject({
      details: [{ limit: 'maxUnfinishedJobs', value: 5, use: 5 }],
    });
    expect(await post()).toMatchObject({ status: 201 });
  });

  it.each([
    ['not far from it: they are a share of it at most', 100, false],
    ['near it', 10, true],
  ])('counts the jobs of batches %s', async (_, maxUnfinishedJobs, isCounted) => {
    const { post, table } = aCreateJobRoute({ maxUnfinishedJobs, maxRunningJobs: 2 });
    const count = vi.spyOn(table, 'countWaiting');
    await post();
    expect(count.mock.calls.some(([{ queue }]) => queue === 'batch')).toBe(isCounted);
  });

  it('answers a repeated request with its job, admits no other under a new key, and no other body under its key', async () => {
    const { post, list } = aCreateJobRoute();
    await post({}, 'key-1');
    for (let n = 0; n < 2; n += 1) await post();
    expect(await post({}, 'key-1')).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
    await expect(post({}, 'key-2')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(post({ metadata: { a: '1' } }, 'key-1')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await list()).toHaveLength(3);
  });

  it('rejects the repeated request of a job that was never created', async () => {
    const { post, list, broken } = aCreateJobRoute();
    broken.write = true;
    await expect(post({}, 'key-1')).rejects.toBe(failed);
    broken.write = false;
    for (let n = 0; n < 3; n += 1) await post();
    await expect(post({}, 'key-1')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await list()).toHaveLength(3);
  });
});

describe('a cap', () => {
  const day = start.toISOString().slice(0, 10);
  const ref = { ownerId: 'owner-1', jobId: aJobId(99) };
  const spend = async (spending: SpendingCounters, usd: number, keyId?: string) => {
    const counter = { ...ref, keyId };
    const before = await spending.read(counter);
    const spent = { [day]: usd * 1e9 };
    await spending.write(counter, { ...before, version: before.version + 1, spent, reserved: {} });
  };
  const keyOf = (keyId: string, limits: SpendingLimits) =>
    keyGrantSchema.parse({ ownerId: 'owner-1', keyId, hash: keyId, limits });

  it('that is used up rejects a job with limit, use and the time to wait, until the UTC day ends', async () => {
    const { post, list, clock, spending } = aCreateJobRoute({ usdPerDay: 2 });
    await spend(spending, 2.25);
    await expect(post()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('2026-03-02T00:00:00.000Z'),
      retryAfterSeconds: 12 * 3_600,
      details: [{ limit: 'usdPerDay', value: 2, use: 2.25 }],
    });
    expect(await list()).toEqual([]);
    expect((await post({}, undefined, 'owner-2')).status).toBe(201);
    clock.pass(12 * 3_600_000);
    expect((await post()).status).toBe(201);
  });

  it('that rejects a request does not keep its idempotency key, so the next day admits it', async () => {
    const { post, list, clock, spending } = aCreateJobRoute({ usdPerDay: 2 });
    await spend(spending, 2);
    clock.pass(12 * 3_600_000 - 600_000);
    await expect(post({}, 'key-1')).rejects.toMatchObject({ retryAfterSeconds: 600 });
    clock.pass(600_000);
    expect(await post({}, 'key-1')).toMatchObject({
      status: 201,
      headers: expect.not.objectContaining({ 'idempotent-replayed': 'true' }),
      body: { createdAt: '2026-03-02T00:00:00.000Z' },
    });
    expect(await list()).toHaveLength(1);
  });

  it('that rejects a request admits another body under its idempotency key', async () => {
    const { post, clock, spending } = aCreateJobRoute({ usdPerDay: 2 });
    await spend(spending, 2);
    await expect(post({}, 'key-1')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    clock.pass(12 * 3_600_000);
    expect((await post({ metadata: { a: '1' } }, 'key-1')).status).toBe(201);
  });

  it('that is used up since answers a repeated request with its job', async () => {
    const { post, list, sent, spending } = aCreateJobRoute({ usdPerDay: 2 });
    const first = await post({}, 'key-1');
    await spend(spending, 2);
    const headers = { ...first.headers, 'idempotent-replayed': 'true' };
    expect(await post({}, 'key-1')).toEqual({ ...first, headers });
    expect(await list()).toHaveLength(1);
    expect(new Set(sent).size).toBe(1);
  });

  it('is that of the day of a repeated request, whose job keeps its first id', async () => {
    const { post, list, clock, spending, broken } = aCreateJobRoute({ usdPerDay: 2 });
    broken.write = true;
    await expect(post({}, 'key-1')).rejects.toBe(failed);
    broken.write = false;
    await spend(spending, 2);
    clock.pass(12 * 3_600_000);
    expect((await post({}, 'key-1')).body.createdAt).toBe(start.toISOString());
    expect(await list()).toMatchObject([{ jobId: aJobId(1) }]);
  });

  it('of 0 admits nothing, also if its counter exists', async () => {
    const { post, spending } = aCreateJobRoute({ usdPerDay: 0 });
    await spend(spending, 0);
    await expect(post()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('of a month has a time to wait until its end', async () => {
    const { post, spending } = aCreateJobRoute({ usdPerDay: 20, usdPerMonth: 2 });
    await spend(spending, 2);
    const error = { details: [{ limit: 'usdPerMonth' }], retryAfterSeconds: 30.5 * 86_400 };
    await expect(post()).rejects.toMatchObject(error);
  });

  it('of a key counts the jobs of the key and of the keys that it created', async () => {
    const { post, list, spending } = aCreateJobRoute();
    const [parent, child] = [keyOf('key-1', { usdPerDay: 2 }), keyOf('key-2', { usdPerDay: 1 })];
    const byKey = { ownerId: 'owner-1', caller: 'key' as const };
    const byChild = { ...byKey, key: child, parent };
    await spend(spending, 1, 'key-2');
    await expect(post({}, undefined, byChild)).rejects.toMatchObject({ details: [{ value: 1, use: 1 }] });
    expect((await post({}, undefined, { ...byKey, key: parent })).status).toBe(201);
    await spend(spending, 2, 'key-1');
    const other = { ...byKey, key: keyOf('key-3', { usdPerDay: 1 }), parent };
    await expect(post({}, undefined, other)).rejects.toMatchObject({ details: [{ value: 2, use: 2 }] });
    expect(await list()).toMatchObject([{ spendingCaps: [{ keyId: 'key-1', usdPerDay: 2 }] }]);
  });

  it('of a key that another key created is in the usage of the other one', async () => {
    const { post, list } = aCreateJobRoute();
    const principal = { ownerId: 'owner-1', caller: 'key' as const, key: keyOf('key-2', {}) };
    await post({}, undefined, { ...principal, parent: keyOf('key-1', {}) });
    await post();
    expect((await list()).map(({ caller }) => caller).sort()).toEqual(['key-1', 'session']);
  });

  it('is neither read nor written for a caller without one, also with maxCostUsd', async () => {
    const { post, spending } = aCreateJobRoute();
    const touched = () => Promise.reject(new Error('A counter is touched'));
    Object.assign(spending, { read: touched, write: touched, reserve: touched });
    for (const more of [{}, { maxCostUsd: 1 }]) expect((await post(more)).status).toBe(201);
    expect((await post({}, 'key-1')).status).toBe(201);
  });
});
