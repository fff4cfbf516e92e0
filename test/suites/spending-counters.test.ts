import { describe, expect, it } from 'vitest';
import { spendingCounters } from '../../adapters/dynamodb/spending-counters.ts';
import { emptySpendingCounter, type SpendingCounter } from '../../core/spending/spending-counter.ts';
import { memorySpendingCounters } from '../../lab/simulation/memory/spending-counters.ts';
import { aJobId } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const idAt = (n: number, time: string) => aJobId(n, new Date(time));
const version = (n: number): SpendingCounter => ({
  version: n,
  spent: { '2026-03-01': n },
  reserved: { [idAt(1, '2026-03-01T12:00:00.000Z')]: 5 },
  latest: ['a'],
});

describe.each(bothStores(spendingCounters, memorySpendingCounters))('a spending counter %s', (_, open) => {
  const jobId = idAt(1, '2026-03-01T00:00:00.000Z');

  it('overwrites the previous version only', async () => {
    const counters = await open();
    const ref = { ownerId: aNewOwner(), jobId };
    expect(await counters.read(ref)).toEqual(emptySpendingCounter);
    expect(await counters.write(ref, version(1))).toBe(true);
    expect(await counters.write(ref, version(1))).toBe(false);
    expect(await counters.write(ref, version(3))).toBe(false);
    expect(await counters.write(ref, version(2))).toBe(true);
    expect(await counters.read(ref)).toEqual(version(2));
  });

  it('is that of all jobs that were created in a UTC month, by owner and by key', async () => {
    const counters = await open();
    const ownerId = aNewOwner();
    const last = idAt(2, '2026-03-31T23:59:59.999Z');
    await counters.write({ ownerId, jobId }, version(1));
    expect(await counters.read({ ownerId, jobId: last })).toEqual(version(1));
    const others = [
      { ownerId, jobId: idAt(3, '2026-04-01T00:00:00.000Z') },
      { ownerId, jobId: idAt(4, '2026-02-28T23:59:59.999Z') },
      { ownerId, jobId, keyId: 'key-1' },
      { ownerId: aNewOwner(), jobId },
    ];
    for (const ref of others) expect(await counters.read(ref)).toEqual(emptySpendingCounter);
  });

  it('reserves in one write for as many new jobs as its limits leave room for, once each', async () => {
    const counters = await open();
    const ownerId = aNewOwner();
    const at = '2026-03-01T12:00:00.000Z';
    const refs = Array.from({ length: 25 }, (_, n) => ({ ownerId, jobId: idAt(n + 2, at) }));
    const reservation = { cost: 10, at, limits: { day: 31, month: 1_000 } };
    const [first = { ownerId, jobId }] = refs;
    expect(await counters.reserve(first, reservation)).toBe(false);
    // Spends one of this day, and reserves five for another job.
    await counters.write(first, version(1));
    const admitted = await Promise.all(refs.map((ref) => counters.reserve(ref, reservation)));
    expect(admitted.filter(Boolean)).toHaveLength(2);
    const { reserved, unconfirmed, version: writes } = await counters.read(first);
    expect({ writes, sum: Object.values(reserved).reduce((a, b) => a + b) }).toEqual({ writes: 3, sum: 25 });
    const admittedRef = refs[admitted.indexOf(true)] ?? first;
    expect(unconfirmed?.[admittedRef.jobId]).toBe(at);
    const roomy = { ...reservation, limits: { day: 1e9, month: 1e9 } };
    expect(await counters.reserve(admittedRef, roomy)).toBe(false);
    const next = { ...first, jobId: idAt(40, '2026-03-02T00:00:00.000Z') };
    expect(await counters.reserve(next, { ...reservation, limits: { day: 10, month: 35 } })).toBe(false);
    expect(await counters.reserve(next, { ...reservation, limits: { day: 10, month: 36 } })).toBe(true);
  });

  it('is due two minutes after its first unconfirmed reservation, until none is unconfirmed', async () => {
    const counters = await open();
    const ref = { ownerId: aNewOwner(), jobId, keyId: 'key-1' };
    const at = '2026-03-31T23:00:00.000Z';
    const isDue = async (time: string) => {
      const due = await counters.due(new Date(time));
      return due.filter(({ ownerId }) => ownerId === ref.ownerId);
    };
    await counters.write(ref, version(1));
    await counters.reserve({ ...ref, jobId: idAt(5, at) }, { cost: 1, at, limits: { day: 9, month: 99 } });
    expect(await isDue('2026-03-31T23:01:59.000Z')).toEqual([]);
    const [due = ref] = await isDue('2026-03-31T23:02:00.000Z');
    const counter = await counters.read(due);
    expect(counter).toMatchObject({ version: 2, unconfirmed: { [idAt(5, at)]: at } });
    const { unconfirmed: _, ...confirmed } = counter;
    await counters.write(ref, { ...confirmed, version: 3 });
    expect(await isDue('2026-03-31T23:59:00.000Z')).toEqual([]);
  });
});
