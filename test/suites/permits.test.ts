import { describe, expect, it } from 'vitest';
import { permits } from '../../adapters/dynamodb/permits.ts';
import { longPermitsSort } from '../../adapters/dynamodb/table-keys.ts';
import { memoryPermits } from '../../lab/simulation/memory/permits.ts';
import { aNewOwner, bothStores } from './stores.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const soon = new Date('2026-03-01T12:00:15.000Z');
const later = new Date('2026-03-01T12:00:16.000Z');
const limit = { max: 2, now };

describe.each(bothStores((client, tableName) => permits(client, tableName, longPermitsSort), memoryPermits))(
  'permits %s',
  (_, open) => {
    const permit = (group: string, holder: string) => ({ group, holder, endsAt: soon });

    it('are taken up to the limit of their group, also by many at once', async () => {
      const store = await open();
      const group = aNewOwner();
      const taken = await Promise.all(
        Array.from({ length: 8 }, (_unused, n) => store.take(permit(group, `holder-${n}`), limit)),
      );
      expect(taken.filter((isTaken) => isTaken)).toHaveLength(2);
      expect(await store.take(permit(aNewOwner(), 'other'), limit)).toBe(true);
    });

    it('are taken again by their holder, who then has one', async () => {
      const store = await open();
      const group = aNewOwner();
      for (let n = 0; n < 3; n += 1) expect(await store.take(permit(group, 'a'), limit)).toBe(true);
      expect(await store.take(permit(group, 'b'), limit)).toBe(true);
      expect(await store.take(permit(group, 'a'), limit)).toBe(true);
    });

    it('are free once their holders free them, and once they expire after a crash', async () => {
      const store = await open();
      const group = aNewOwner();
      for (const holder of ['a', 'b']) await store.take(permit(group, holder), limit);
      expect(await store.free({ group, holder: 'a' })).toBe(true);
      expect(await store.free({ group, holder: 'a' })).toBe(false);
      expect(await store.take(permit(group, 'c'), limit)).toBe(true);
      expect(await store.take(permit(group, 'd'), limit)).toBe(false);
      expect(await store.take(permit(group, 'd'), { max: 2, now: later })).toBe(true);
    });
  },
);
