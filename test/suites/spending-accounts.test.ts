import { describe, expect, it } from 'vitest';
import { spendingAccounts } from '../../adapters/dynamodb/spending-accounts.ts';
import { emptySpendingAccount, type SpendingAccount } from '../../core/spending/spending-account.ts';
import { aJobId } from '../builders/jobs/jobs.ts';
import { memorySpendingAccounts } from '../memory/spending-accounts.ts';
import { aNewOwner, bothStores } from './stores.ts';

const idAt = (n: number, time: string) => aJobId(n, new Date(time));
const version = (n: number): SpendingAccount => ({
  version: n,
  spent: { '2026-03-01': n },
  reserved: { [idAt(1, '2026-03-01T12:00:00.000Z')]: 5 },
  latest: ['a'],
});

describe.each(bothStores(spendingAccounts, memorySpendingAccounts))('a spending account %s', (_, open) => {
  const jobId = idAt(1, '2026-03-01T00:00:00.000Z');

  it('is written over the version before only', async () => {
    const accounts = await open();
    const ref = { ownerId: aNewOwner(), jobId };
    expect(await accounts.read(ref)).toEqual(emptySpendingAccount);
    expect(await accounts.write(ref, version(1))).toBe(true);
    expect(await accounts.write(ref, version(1))).toBe(false);
    expect(await accounts.write(ref, version(3))).toBe(false);
    expect(await accounts.write(ref, version(2))).toBe(true);
    expect(await accounts.read(ref)).toEqual(version(2));
  });

  it('is that of all jobs that were created in a UTC month, by owner and by key', async () => {
    const accounts = await open();
    const ownerId = aNewOwner();
    const last = idAt(2, '2026-03-31T23:59:59.999Z');
    await accounts.write({ ownerId, jobId }, version(1));
    expect(await accounts.read({ ownerId, jobId: last })).toEqual(version(1));
    const others = [
      { ownerId, jobId: idAt(3, '2026-04-01T00:00:00.000Z') },
      { ownerId, jobId: idAt(4, '2026-02-28T23:59:59.999Z') },
      { ownerId, jobId, keyId: 'key-1' },
      { ownerId: aNewOwner(), jobId },
    ];
    for (const ref of others) expect(await accounts.read(ref)).toEqual(emptySpendingAccount);
  });
});
