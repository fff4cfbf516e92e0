import { describe, expect, it } from 'vitest';
import { slowDeliveries } from '../../adapters/dynamodb/slow-deliveries.ts';
import type { SlowLimit } from '../../core/webhooks/slow-deliveries.ts';
import { memorySlowDeliveries } from '../../lab/simulation/memory/slow-deliveries.ts';
import { aNewOwner, bothStores } from './stores.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const soon = new Date('2026-03-01T12:00:15.000Z');
const later = new Date('2026-03-01T12:00:16.000Z');
const until = new Date('2026-03-01T12:10:00.000Z');
const limit: SlowLimit = { max: 4, now };
const [a, b, c] = ['https://a.example', 'https://b.example', 'https://c.example'] as const;

describe.each(bothStores(slowDeliveries, memorySlowDeliveries))('deliveries to slow receivers %s', (_, open) => {
  const anOwner = async (origins: readonly string[]) => {
    const store = await open();
    const ownerId = aNewOwner();
    for (const origin of origins) await store.mark({ ownerId, origin }, { until, now });
    const ref = (deliveryId: string) => ({ ownerId, jobId: `job-${deliveryId}`, deliveryId });
    return {
      ref,
      enter: (deliveryId: string, origin: string, at = limit) =>
        store.enter({ ...ref(deliveryId), origin, endsAt: soon }, at),
      leave: (deliveryId: string) => store.leave(ref(deliveryId), { ...limit, nextEndsAt: soon }),
    };
  };

  it('are limited to half of the limit for each origin, and to all of it together, also by many at once', async () => {
    const { enter } = await anOwner([a, b, c]);
    const toOne = await Promise.all(Array.from({ length: 8 }, (_unused, n) => enter(`a-${n}`, a)));
    expect(toOne.filter((mayBegin) => mayBegin)).toHaveLength(2);
    const toOthers = await Promise.all([enter('b-1', b), enter('b-2', b), enter('c-1', c)]);
    expect(toOthers.filter((mayBegin) => mayBegin)).toHaveLength(2);
  });

  it('are not limited to an origin that is not slow, or not any more', async () => {
    const { enter } = await anOwner([a]);
    for (let n = 0; n < 6; n += 1) expect(await enter(`b-${n}`, b)).toBe(true);
    for (let n = 0; n < 6; n += 1) expect(await enter(`a-${n}`, a, { ...limit, now: until })).toBe(true);
  });

  it('are limited to every origin of an owner with more slow ones than a host name each time may make', async () => {
    const { enter } = await anOwner([a, b, c]);
    const fresh = (n: number) => `https://fresh-${n}.example`;
    for (let n = 0; n < 6; n += 1) expect(await enter(`few-${n}`, fresh(n), { ...limit, maxOrigins: 3 })).toBe(true);
    const begun: boolean[] = [];
    for (let n = 0; n < 6; n += 1) begun.push(await enter(`many-${n}`, fresh(n), { ...limit, maxOrigins: 2 }));
    expect(begun).toEqual([true, true, true, true, false, false]);
    expect(await enter('later', fresh(9), { max: 4, maxOrigins: 2, now: until })).toBe(true);
  });

  it('run until they leave, or expire after a crash', async () => {
    const { enter, leave } = await anOwner([a]);
    expect([await enter('1', a), await enter('1', a), await enter('2', a)]).toEqual([true, true, true]);
    expect(await enter('3', a)).toBe(false);
    await leave('3');
    expect(await leave('1')).toBeUndefined();
    expect([await enter('4', a), await enter('5', a)]).toEqual([true, false]);
    expect(await enter('6', a, { ...limit, now: later })).toBe(true);
  });

  it('that wait take the place of one that leaves, in their order, if their origin has room', async () => {
    const { enter, leave, ref } = await anOwner([a, b, c]);
    for (const [id, origin] of [
      ['a-1', a],
      ['a-2', a],
      ['b-1', b],
      ['b-2', b],
    ] as const) {
      expect(await enter(id, origin)).toBe(true);
    }
    for (const [id, origin] of [
      ['a-3', a],
      ['b-3', b],
      ['c-1', c],
    ] as const) {
      expect(await enter(id, origin)).toBe(false);
    }
    expect(await leave('b-1')).toEqual(ref('b-3'));
    expect(await leave('b-2')).toEqual(ref('c-1'));
    expect(await enter('c-1', c)).toBe(true);
    expect(await leave('a-1')).toEqual(ref('a-3'));
    expect(await leave('a-1')).toBeUndefined();
  });

  it('wait in a bounded number for each origin', async () => {
    const { enter, leave } = await anOwner([a]);
    for (let n = 0; n < 40; n += 1) await enter(`a-${n}`, a);
    let woken = 0;
    for (let id = 'a-0'; ; woken += 1) {
      const next = await leave(id);
      if (next === undefined) break;
      id = next.deliveryId;
    }
    expect(woken).toBe(20);
  });
});
