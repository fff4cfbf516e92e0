import { describe, expect, it } from 'vitest';
import { concurrencyLimits } from '../../adapters/dynamodb/concurrency-limits.ts';
import { longLimitSort } from '../../adapters/dynamodb/table-keys.ts';
import { memoryConcurrencyLimits } from '../../lab/simulation/memory/concurrency-limits.ts';
import { aNewOwner, bothStores } from './stores.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const soon = new Date('2026-03-01T12:00:15.000Z');
const later = new Date('2026-03-01T12:00:16.000Z');
const most = { max: 2, now };

describe.each(
  bothStores((client, tableName) => concurrencyLimits(client, tableName, longLimitSort), memoryConcurrencyLimits),
)('concurrency limits %s', (_, open) => {
  const entryOf = (limit: string, name: string) => ({ limit, name, endsAt: soon });

  it('have at most so many entries, also by many at once', async () => {
    const store = await open();
    const limit = aNewOwner();
    const taken = await Promise.all(
      Array.from({ length: 8 }, (_unused, n) => store.enter(entryOf(limit, `name-${n}`), most)),
    );
    expect(taken.filter((isEntered) => isEntered)).toHaveLength(2);
    expect(await store.enter(entryOf(aNewOwner(), 'other'), most)).toBe(true);
  });

  it('are entered again under the same name, which counts once', async () => {
    const store = await open();
    const limit = aNewOwner();
    for (let n = 0; n < 3; n += 1) expect(await store.enter(entryOf(limit, 'a'), most)).toBe(true);
    expect(await store.enter(entryOf(limit, 'b'), most)).toBe(true);
    expect(await store.enter(entryOf(limit, 'a'), most)).toBe(true);
  });

  it('are left, and once they expire after a crash', async () => {
    const store = await open();
    const limit = aNewOwner();
    for (const name of ['a', 'b']) await store.enter(entryOf(limit, name), most);
    expect(await store.leave({ limit, name: 'a' })).toBe(true);
    expect(await store.leave({ limit, name: 'a' })).toBe(false);
    expect(await store.enter(entryOf(limit, 'c'), most)).toBe(true);
    expect(await store.enter(entryOf(limit, 'd'), most)).toBe(false);
    expect(await store.enter(entryOf(limit, 'd'), { max: 2, now: later })).toBe(true);
  });
});
