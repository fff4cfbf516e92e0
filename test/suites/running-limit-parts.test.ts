import { beforeEach, describe, expect, it } from 'vitest';
import { limitPartTable, runningLimit } from '../../adapters/dynamodb/running-limit.ts';
import { partOfLimit } from '../../core/jobs/queues.ts';
import { homePart, type RunningLimit, runningParts } from '../../core/jobs/running-limit.ts';
import { aNewOwner, bothStores } from './stores.ts';

const max = 40;
const parts = runningParts(max);
const [[, open]] = bothStores(
  (client, tableName) => ({ running: runningLimit(client, tableName, max), table: limitPartTable(client, tableName) }),
  () => undefined,
) as [[string, () => Promise<{ running: RunningLimit; table: ReturnType<typeof limitPartTable> }>]];

describe('the limit of running jobs in several parts', () => {
  let running: RunningLimit;
  let table: ReturnType<typeof limitPartTable>;
  let ownerId: string;
  beforeEach(async () => {
    ({ running, table } = await open());
    ownerId = aNewOwner();
  });
  const entry = (jobId: string) => ({ ownerId, jobId, attempt: 1 });
  const countIn = () =>
    Promise.all([...Array(parts).keys()].map(async (part) => (await table.read({ ownerId, part })).entries.length));
  /** Entries whose home is this part. */
  const homedIn = (part: number, count: number) =>
    Array.from({ length: 1_000 }, (_, n) => entry(`job-${n}`))
      .filter((each) => homePart(each, parts) === part)
      .slice(0, count);

  it('admits as many as the limit, whatever their home parts', async () => {
    const claims = Array.from({ length: 2 * max }, (_, n) => running.enter(entry(`job-${n}`), { max }));
    expect((await Promise.all(claims)).filter((entered) => entered)).toHaveLength(max);
    const most = [...Array(parts).keys()].map((part) => partOfLimit(max, part, parts));
    expect([await countIn(), Math.max(...most) <= 16]).toEqual([most, true]);
  });

  it('admits an attempt to another part if its home part is full, once, and lets it leave there', async () => {
    const one = homedIn(0, 20);
    for (const each of [...one, ...one]) expect(await running.enter(each, { max })).toBe(true);
    expect((await countIn()).reduce((sum, count) => sum + count, 0)).toBe(20);
    for (const each of one) await running.leave(each);
    expect(await countIn()).toEqual(Array(parts).fill(0));
  });

  it('bounds the workers of an owner over all parts', async () => {
    const limits = { max, maxWorkers: 2 };
    const [first = entry('a')] = homedIn(0, 1);
    const [second = entry('b')] = homedIn(1, 1);
    const [third = entry('c'), fourth = entry('d')] = homedIn(2, 2);
    for (const each of [first, second]) expect(await running.enter(each, limits)).toBe(true);
    expect(await running.enter(third, limits)).toBe(false);
    expect(await running.enter(first, limits)).toBe(true);
    await running.releaseWorker(second);
    expect(await running.enter(third, limits)).toBe(true);
    expect(await running.enter(fourth, limits)).toBe(false);
  });

  it('lets a job wait only if all parts are full, and names it once one of its home part leaves', async () => {
    const full = homedIn(0, 15);
    const [waiting = entry('w')] = full.slice(14);
    for (const each of full.slice(0, 14)) await running.enter(each, { max });
    expect(await running.waitFor(waiting, max)).toBe(false);
    for (let n = 0; n < max; n += 1) await running.enter(entry(`other-${n}`), { max });
    expect(await running.waitFor(waiting, max)).toBe(true);
    expect(await running.leave(full[0] ?? waiting)).toEqual({ running: max, next: { ownerId, jobId: waiting.jobId } });
  });
});
