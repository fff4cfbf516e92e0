import { beforeEach, describe, expect, it } from 'vitest';
import { runningSlots, type slotGroupTable } from '../../adapters/dynamodb/running-slots.ts';
import { maxRemembered, type RunningSlots } from '../../core/jobs/slots.ts';
import { memoryRunningSlots } from '../../lab/simulation/memory/running-slots.ts';
import { itUnless } from '../builders/storage/on-foreign.ts';
import { aNewOwner, bothStores } from './stores.ts';

const oneGroup = (...[client, tableName]: Parameters<typeof slotGroupTable>) => runningSlots(client, tableName, 10);

describe.each(bothStores(oneGroup, memoryRunningSlots))('the slots of running jobs %s', (_, open) => {
  let slots: RunningSlots;
  let ownerId: string;
  beforeEach(async () => {
    slots = await open();
    ownerId = aNewOwner();
  });
  const slot = (jobId: string, attempt = 1) => ({ ownerId, jobId, attempt });

  it('are taken up to the limit, and each owner has its own', async () => {
    expect(await slots.take(slot('a'), { max: 2 })).toBe(true);
    expect(await slots.take(slot('b'), { max: 2 })).toBe(true);
    expect(await slots.take(slot('c'), { max: 2 })).toBe(false);
    expect(await slots.list(slot('a'))).toEqual([slot('a'), slot('b')]);
    expect(await slots.take({ ...slot('c'), ownerId: aNewOwner() }, { max: 2 })).toBe(true);
  });

  it('tell the jobs that have them, each once, and whether they are full', async () => {
    for (const taken of [slot('a', 1), slot('a', 2), slot('b')]) await slots.take(taken, { max: 10 });
    expect((await slots.jobs(ownerId)).sort()).toEqual(['a', 'b']);
    expect(await slots.jobs(aNewOwner())).toEqual([]);
    expect(await slots.isFull(slot('c'), 10)).toBe(false);
    for (let n = 3; n < 10; n += 1) await slots.take(slot(`job-${n}`), { max: 10 });
    expect(await slots.isFull(slot('c'), 10)).toBe(true);
  });

  it('are taken by as many of concurrent claims as there are slots', async () => {
    const claims = Array.from({ length: 12 }, (_unused, n) => slots.take(slot(`job-${n}`), { max: 3 }));
    expect((await Promise.all(claims)).filter((taken) => taken)).toHaveLength(3);
    expect(await slots.list(slot('a'))).toHaveLength(3);
  });

  it('are taken once by a repeated write, even if all are taken', async () => {
    for (let n = 0; n < 3; n += 1) expect(await slots.take(slot('a'), { max: 1 })).toBe(true);
    expect(await slots.list(slot('a'))).toEqual([slot('a')]);
    expect(await slots.free(slot('a'))).toEqual({ taken: 1, next: undefined });
    expect(await slots.list(slot('a'))).toEqual([]);
    expect(await slots.free(slot('a'))).toEqual({ taken: 0, next: undefined });
  });

  it('differ by attempt: freeing an earlier attempt keeps the slot of a later one', async () => {
    await slots.take(slot('a', 1), { max: 2 });
    await slots.take(slot('a', 2), { max: 2 });
    await slots.free(slot('a', 1));
    expect(await slots.list(slot('a'))).toEqual([slot('a', 2)]);
  });

  it('once freed, name each job that waited for one, the oldest first', async () => {
    await slots.take(slot('a'), { max: 1 });
    expect(await slots.waitFor(slot('c'), 1)).toBe(true);
    expect(await slots.waitFor(slot('b'), 1)).toBe(true);
    expect((await slots.free(slot('a'))).next).toEqual({ ownerId, jobId: 'b' });
    await slots.take(slot('b'), { max: 1 });
    expect((await slots.free(slot('b'))).next).toEqual({ ownerId, jobId: 'c' });
  });

  itUnless('DynamoDB of moto')('do not let a job wait while one is free, and forget a job that has one', async () => {
    expect(await slots.waitFor(slot('a'), 1)).toBe(false);
    await slots.take(slot('a'), { max: 1 });
    expect(await slots.waitFor(slot('b'), 1)).toBe(true);
    expect(await slots.take(slot('b'), { max: 2 })).toBe(true);
    expect((await slots.free(slot('a'))).next).toBeUndefined();
  });

  it('limit the workers of an owner, without those of delegated jobs', async () => {
    const limits = { max: 10, maxWorkers: 1 };
    expect(await slots.take(slot('a'), limits)).toBe(true);
    expect(await slots.take(slot('a'), limits)).toBe(true);
    expect(await slots.take(slot('b'), limits)).toBe(false);
    await slots.releaseWorker(slot('a'));
    expect(await slots.take(slot('b'), limits)).toBe(true);
    expect(await slots.list(slot('a'))).toEqual([slot('a'), slot('b')]);
    expect(await slots.take(slot('c'), limits)).toBe(false);
    await slots.free(slot('b'));
    expect(await slots.take(slot('c'), limits)).toBe(true);
  });

  it('remember a bounded number of waiting jobs', async () => {
    await slots.take(slot('a'), { max: 1 });
    for (let n = 0; n < maxRemembered + 3; n += 1) {
      expect(await slots.waitFor(slot(`job-${n}`), 1)).toBe(true);
    }
    let remembered = 0;
    while ((await slots.free(slot('a'))).next !== undefined) remembered += 1;
    expect(remembered).toBe(maxRemembered);
  });
});
