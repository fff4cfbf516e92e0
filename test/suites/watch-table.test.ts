import { describe, expect, it } from 'vitest';
import { watchTable } from '../../adapters/dynamodb/watch-table.ts';
import { memoryWatchTable } from '../../lab/simulation/memory/watch-table.ts';
import { start } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const record = { hash: 'a'.repeat(32), jobId: 'job-1', createdAt: start.toISOString(), isDone: false };

describe.each(bothStores(watchTable, memoryWatchTable))('the table of watches %s', (_, open) => {
  const stored = async ({ list }: Awaited<ReturnType<typeof open>>, name: string) => {
    const records = [];
    for await (const page of list(name)) records.push(...page);
    return records;
  };

  it('stores the record of a version once, whoever is first', async () => {
    const [watches, name] = [await open(), aNewOwner()];
    const tries = ['job-1', 'job-2', 'job-3'].map((jobId) => watches.add(name, { ...record, jobId }));
    const won = await Promise.all(tries);
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await watches.get(name, record.hash)).toMatchObject({
      jobId: `job-${won.indexOf(true) + 1}`,
      isDone: false,
    });
    expect(await watches.get(aNewOwner(), record.hash)).toBeUndefined();
  });

  it('finishes a record that is there, and removes it', async () => {
    const [watches, name] = [await open(), aNewOwner()];
    await watches.finish(name, record.hash);
    expect(await stored(watches, name)).toEqual([]);
    await watches.add(name, record);
    await watches.finish(name, record.hash, 'VALIDATION_ERROR');
    expect(await stored(watches, name)).toEqual([{ ...record, isDone: true, refused: 'VALIDATION_ERROR' }]);
    await watches.remove(name, [record.hash]);
    expect(await watches.add(name, record)).toBe(true);
  });

  it('keeps whether a watch is paused beside what its sweeps record', async () => {
    const [watches, name] = [await open(), aNewOwner()];
    expect(await watches.state(name)).toEqual({ isPaused: false, objects: 0, jobs: 0, lagSeconds: 0 });
    await watches.setPaused(name, true);
    await watches.recordSweep(name, { lastSweepAt: start.toISOString(), objects: 3, jobs: 2, lagSeconds: 9 });
    const swept = { isPaused: true, lastSweepAt: start.toISOString(), objects: 3, jobs: 2, lagSeconds: 9 };
    expect(await watches.state(name)).toEqual(swept);
    await watches.setPaused(name, false);
    expect(await watches.state(name)).toEqual({ ...swept, isPaused: false });
  });
});
