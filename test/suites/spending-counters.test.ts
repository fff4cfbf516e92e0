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
});
