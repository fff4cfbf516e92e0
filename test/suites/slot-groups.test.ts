import { beforeEach, describe, expect, it } from 'vitest';
import { runningSlots, slotGroupTable } from '../../adapters/dynamodb/running-slots.ts';
import { partOfLimit } from '../../core/jobs/shares.ts';
import { homeGroup, type RunningSlots, slotGroups } from '../../core/jobs/slots.ts';
import { aNewOwner, bothStores } from './stores.ts';

const max = 40;
const groups = slotGroups(max);
const [[, open]] = bothStores(
  (client, tableName) => ({
    slots: runningSlots(client, tableName, max),
    table: slotGroupTable(client, tableName),
  }),
  () => undefined,
) as [[string, () => Promise<{ slots: RunningSlots; table: ReturnType<typeof slotGroupTable> }>]];

describe('slots in several groups', () => {
  let slots: RunningSlots;
  let table: ReturnType<typeof slotGroupTable>;
  let ownerId: string;
  beforeEach(async () => {
    ({ slots, table } = await open());
    ownerId = aNewOwner();
  });
  const slot = (jobId: string) => ({ ownerId, jobId, attempt: 1 });
  const takenIn = () =>
    Promise.all([...Array(groups).keys()].map(async (group) => (await table.read({ ownerId, group })).slots.length));
  /** Slots whose home is this group. */
  const homedIn = (group: number, count: number) =>
    Array.from({ length: 1_000 }, (_, n) => slot(`job-${n}`))
      .filter((each) => homeGroup(each, groups) === group)
      .slice(0, count);

  it('are as many as the limit, whatever their home groups', async () => {
    const claims = Array.from({ length: 2 * max }, (_, n) => slots.take(slot(`job-${n}`), { max }));
    expect((await Promise.all(claims)).filter((taken) => taken)).toHaveLength(max);
    const shares = [...Array(groups).keys()].map((group) => partOfLimit(max, group, groups));
    expect([await takenIn(), Math.max(...shares) <= 16]).toEqual([shares, true]);
  });

  it('are taken in another group if the home group is full, once, and freed there', async () => {
    const one = homedIn(0, 20);
    for (const each of [...one, ...one]) expect(await slots.take(each, { max })).toBe(true);
    expect((await takenIn()).reduce((sum, taken) => sum + taken, 0)).toBe(20);
    for (const each of one) await slots.free(each);
    expect(await takenIn()).toEqual(Array(groups).fill(0));
  });

  it('limit the workers of an owner over all groups', async () => {
    const limits = { max, maxWorkers: 2 };
    const [first = slot('a')] = homedIn(0, 1);
    const [second = slot('b')] = homedIn(1, 1);
    const [third = slot('c'), fourth = slot('d')] = homedIn(2, 2);
    for (const each of [first, second]) expect(await slots.take(each, limits)).toBe(true);
    expect(await slots.take(third, limits)).toBe(false);
    expect(await slots.take(first, limits)).toBe(true);
    await slots.releaseWorker(second);
    expect(await slots.take(third, limits)).toBe(true);
    expect(await slots.take(fourth, limits)).toBe(false);
  });

  it('let a job wait only if all are taken, and name it once one of its home group is freed', async () => {
    const full = homedIn(0, 15);
    const [waiting = slot('w')] = full.slice(14);
    for (const each of full.slice(0, 14)) await slots.take(each, { max });
    expect(await slots.waitFor(waiting, max)).toBe(false);
    for (let n = 0; n < max; n += 1) await slots.take(slot(`other-${n}`), { max });
    expect(await slots.waitFor(waiting, max)).toBe(true);
    expect(await slots.free(full[0] ?? waiting)).toEqual({
      taken: max,
      next: { ownerId, jobId: waiting.jobId },
    });
  });
});
