import { beforeEach, describe, expect, it } from 'vitest';
import { type limitPartTable, runningLimit } from '../../adapters/dynamodb/running-limit.ts';
import { maxRemembered, type RunningLimit } from '../../core/jobs/running-limit.ts';
import { memoryRunningLimit } from '../../lab/simulation/memory/running-limit.ts';
import { itUnless } from '../builders/storage/on-foreign.ts';
import { aNewOwner, bothStores } from './stores.ts';

const onePart = (...[client, tableName]: Parameters<typeof limitPartTable>) => runningLimit(client, tableName, 10);

describe.each(bothStores(onePart, memoryRunningLimit))('the limit of running jobs %s', (_, open) => {
  let running: RunningLimit;
  let ownerId: string;
  beforeEach(async () => {
    running = await open();
    ownerId = aNewOwner();
  });
  const entry = (jobId: string, attempt = 1) => ({ ownerId, jobId, attempt });

  it('admits attempts up to a number, and each owner has its own', async () => {
    expect(await running.enter(entry('a'), { max: 2 })).toBe(true);
    expect(await running.enter(entry('b'), { max: 2 })).toBe(true);
    expect(await running.enter(entry('c'), { max: 2 })).toBe(false);
    expect(await running.list(entry('a'))).toEqual([entry('a'), entry('b')]);
    expect(await running.enter({ ...entry('c'), ownerId: aNewOwner() }, { max: 2 })).toBe(true);
  });

  it('tells the jobs that count, each once, and whether it is full', async () => {
    for (const each of [entry('a', 1), entry('a', 2), entry('b')]) await running.enter(each, { max: 10 });
    expect((await running.jobs(ownerId)).sort()).toEqual(['a', 'b']);
    expect(await running.jobs(aNewOwner())).toEqual([]);
    expect(await running.isFull(entry('c'), 10)).toBe(false);
    for (let n = 3; n < 10; n += 1) await running.enter(entry(`job-${n}`), { max: 10 });
    expect(await running.isFull(entry('c'), 10)).toBe(true);
  });

  it('admits as many of concurrent claims as may run', async () => {
    const claims = Array.from({ length: 12 }, (_unused, n) => running.enter(entry(`job-${n}`), { max: 3 }));
    expect((await Promise.all(claims)).filter((entered) => entered)).toHaveLength(3);
    expect(await running.list(entry('a'))).toHaveLength(3);
  });

  it('counts a repeated write once, even if it is full', async () => {
    for (let n = 0; n < 3; n += 1) expect(await running.enter(entry('a'), { max: 1 })).toBe(true);
    expect(await running.list(entry('a'))).toEqual([entry('a')]);
    expect(await running.leave(entry('a'))).toEqual({ running: 1, next: undefined });
    expect(await running.list(entry('a'))).toEqual([]);
    expect(await running.leave(entry('a'))).toEqual({ running: 0, next: undefined });
  });

  it('counts attempts: the end of an earlier one keeps a later one', async () => {
    await running.enter(entry('a', 1), { max: 2 });
    await running.enter(entry('a', 2), { max: 2 });
    await running.leave(entry('a', 1));
    expect(await running.list(entry('a'))).toEqual([entry('a', 2)]);
  });

  it('names each job that waited, the oldest first', async () => {
    await running.enter(entry('a'), { max: 1 });
    expect(await running.waitFor(entry('c'), 1)).toBe(true);
    expect(await running.waitFor(entry('b'), 1)).toBe(true);
    expect((await running.leave(entry('a'))).next).toEqual({ ownerId, jobId: 'b' });
    await running.enter(entry('b'), { max: 1 });
    expect((await running.leave(entry('b'))).next).toEqual({ ownerId, jobId: 'c' });
  });

  itUnless('DynamoDB of moto')('lets no job wait while there is room, and forgets a job that has entered', async () => {
    expect(await running.waitFor(entry('a'), 1)).toBe(false);
    await running.enter(entry('a'), { max: 1 });
    expect(await running.waitFor(entry('b'), 1)).toBe(true);
    expect(await running.enter(entry('b'), { max: 2 })).toBe(true);
    expect((await running.leave(entry('a'))).next).toBeUndefined();
  });

  it('bounds the workers of an owner, without those of delegated jobs', async () => {
    const limits = { max: 10, maxWorkers: 1 };
    expect(await running.enter(entry('a'), limits)).toBe(true);
    expect(await running.enter(entry('a'), limits)).toBe(true);
    expect(await running.enter(entry('b'), limits)).toBe(false);
    await running.releaseWorker(entry('a'));
    expect(await running.enter(entry('b'), limits)).toBe(true);
    expect(await running.list(entry('a'))).toEqual([entry('a'), entry('b')]);
    expect(await running.enter(entry('c'), limits)).toBe(false);
    await running.leave(entry('b'));
    expect(await running.enter(entry('c'), limits)).toBe(true);
  });

  it('remembers a bounded number of waiting jobs', async () => {
    await running.enter(entry('a'), { max: 1 });
    for (let n = 0; n < maxRemembered + 3; n += 1) {
      expect(await running.waitFor(entry(`job-${n}`), 1)).toBe(true);
    }
    let remembered = 0;
    while ((await running.leave(entry('a'))).next !== undefined) remembered += 1;
    expect(remembered).toBe(maxRemembered);
  });
});
