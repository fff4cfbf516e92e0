import { describe, expect, it } from 'vitest';
import { keyGrantSchema, type SpendingLimits } from '../../../core/access/key-record.ts';
import { aCreateJobRoute, type Body, failed } from '../../builders/http/create-job-route.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';

describe('a new job under caps', () => {
  const many = { maxUnfinishedJobs: 100 };
  const outcomesOf = async (posts: readonly Promise<{ status: number }>[]) => {
    const settled = await Promise.allSettled(posts);
    return settled.map((post) => (post.status === 'fulfilled' ? post.value.status : post.reason.code));
  };

  it.each<[string, SpendingLimits, Partial<Body>, number]>([
    ['a cap of its maxCostUsd', { usdPerDay: 0.5 }, { maxCostUsd: 0.5 }, 1],
    ['a cap below its maxCostUsd', { usdPerMonth: 0.5 }, { maxCostUsd: 5 }, 1],
    ['a cap of twice its maxCostUsd', { usdPerDay: 9, usdPerMonth: 1 }, { maxCostUsd: 0.5 }, 2],
    ['a cap of a minute', { usdPerDay: 0.003 }, {}, 1],
    ['a cap below a minute', { usdPerDay: 0.0001 }, {}, 1],
    ['a cap of 0', { usdPerDay: 0 }, {}, 0],
  ])('is one of 25 at once, under %s', async (_, limits, more, admitted) => {
    const { post, list } = aCreateJobRoute({ ...many, ...limits });
    const outcomes = await outcomesOf(Array.from({ length: 25 }, () => post(more)));
    expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(admitted);
    expect(outcomes.filter((outcome) => outcome === 'LIMIT_EXCEEDED')).toHaveLength(25 - admitted);
    expect(await list()).toHaveLength(admitted);
  });

  it('tells to wait a minute while others only reserve, and until the period ends once they have spent', async () => {
    const { post, spending } = aCreateJobRoute({ ...many, usdPerDay: 1 });
    await post({ maxCostUsd: 0.75 });
    await expect(post({ maxCostUsd: 0.5 })).rejects.toMatchObject({
      retryAfterSeconds: 60,
      message: expect.stringMatching(/cost \$0\.000000 and reserved \$0\.750000 of the limit of \$1/),
      details: [{ limit: 'usdPerDay', value: 1, use: 0.75 }],
    });
    const ref = { ownerId: 'owner-1', jobId: aJobId(99) };
    const counter = await spending.read(ref);
    const spent = { [start.toISOString().slice(0, 10)]: 600_000_000 };
    await spending.write(ref, { ...counter, version: counter.version + 1, spent, reserved: {} });
    await expect(post({ maxCostUsd: 0.5 })).rejects.toMatchObject({ retryAfterSeconds: 12 * 3_600 });
  });

  it('is admitted when its request is repeated before the reservation of the first is given back', async () => {
    const { post, list, spending, broken } = aCreateJobRoute({ ...many, usdPerDay: 0.5 });
    broken.write = true;
    await expect(post({ maxCostUsd: 0.5 }, 'key-1')).rejects.toBe(failed);
    broken.write = false;
    await expect(post({ maxCostUsd: 0.5 }, 'key-2')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect((await post({ maxCostUsd: 0.5 }, 'key-1')).status).toBe(201);
    const [{ jobId } = { jobId: '' }] = await list();
    const { reserved } = await spending.read({ ownerId: 'owner-1', jobId: aJobId(99) });
    expect(reserved).toEqual({ [jobId]: 500_000_000 });
  });

  it('may wait a minute for the others to end, or cost less, if its maxCostUsd is above the whole cap', async () => {
    const { post } = aCreateJobRoute({ ...many, usdPerDay: 1 });
    await post({ maxCostUsd: 0.75 });
    await expect(post({ maxCostUsd: 5 })).rejects.toMatchObject({
      retryAfterSeconds: 60,
      message: expect.stringContaining('request a lower maxCostUsd'),
    });
  });

  it('leaves nothing reserved if another of its caps rejects it, and its repetition reserves once', async () => {
    const { post, spending } = aCreateJobRoute({ ...many, usdPerDay: 1 });
    const key = keyGrantSchema.parse({ ownerId: 'owner-1', keyId: 'key-1', hash: 'key-1', limits: { usdPerDay: 0.5 } });
    const byKey = { ownerId: 'owner-1', caller: 'key' as const, key };
    const reserved = async (keyId?: string) => {
      const counter = await spending.read({ ownerId: 'owner-1', jobId: aJobId(99), keyId });
      return Object.values(counter.reserved).map((cost) => cost / 1e9);
    };
    for (let n = 0; n < 2; n += 1) await post({ maxCostUsd: 0.375 }, 'idempotent', byKey);
    await expect(post({ maxCostUsd: 0.25 }, undefined, byKey)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect([await reserved(), await reserved('key-1')]).toEqual([[0.375], [0.375]]);
    const twice = [1, 2].map(() => post({ maxCostUsd: 0.0625 }, 'at once', byKey));
    expect(await outcomesOf(twice)).toEqual([201, 201]);
    expect(await reserved('key-1')).toEqual([0.375, 0.0625]);
  });

  it('is admitted without a reservation beyond a thousand of them', async () => {
    const { post, spending } = aCreateJobRoute({ ...many, usdPerDay: 1 });
    const ref = { ownerId: 'owner-1', jobId: aJobId(99) };
    const reserved = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [aJobId(n + 100), 1]));
    await spending.write(ref, { version: 1, spent: {}, latest: [], reserved });
    expect((await post()).status).toBe(201);
    expect((await spending.read(ref)).version).toBe(1);
  });
});
