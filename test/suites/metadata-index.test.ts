import { beforeEach, describe, expect, it } from 'vitest';
import { metadataIndex } from '../../adapters/dynamodb/metadata-index.ts';
import type { MetadataIndex } from '../../core/jobs/metadata-index.ts';
import { memoryMetadataIndex } from '../../lab/simulation/memory/metadata-index.ts';
import { aJobId } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

describe.each(bothStores(metadataIndex, memoryMetadataIndex))('the index of metadata %s', (_, open) => {
  let index: MetadataIndex;
  let ownerId: string;
  beforeEach(async () => {
    index = await open();
    ownerId = aNewOwner();
  });
  const add = (n: number, metadata: Record<string, string>) => index.add({ ownerId, jobId: aJobId(n), metadata });
  const find = (query: Omit<Parameters<MetadataIndex['find']>[0], 'ownerId' | 'limit'>, limit = 10) =>
    index.find({ ownerId, limit, ...query });
  const ids = (...numbers: number[]) => numbers.map((n) => aJobId(n));

  it('finds the jobs of a pair in the order of their creation, in a range of ids, for this owner alone', async () => {
    for (const n of [1, 2, 3, 4]) await add(n, { order: '17', other: '17' });
    await add(5, { order: '18', other: '17' });
    await index.add({ ownerId: aNewOwner(), jobId: aJobId(6), metadata: { order: '17' } });
    const order = { key: 'order', value: '17' };
    expect(await find(order)).toEqual(ids(4, 3, 2, 1));
    expect(await find({ ...order, order: 'asc' }, 2)).toEqual(ids(1, 2));
    expect(await find({ ...order, first: aJobId(2), last: aJobId(3) })).toEqual(ids(3, 2));
    expect(await find({ ...order, first: aJobId(3), last: aJobId(2) })).toEqual([]);
    expect(await find({ key: '17', value: 'order' })).toEqual([]);
  });

  it('finds the jobs that have a value under any key', async () => {
    await add(1, { order: '17' });
    await add(2, { invoice: '17' });
    await add(3, { order: '170' });
    expect((await find({ value: '17' })).sort()).toEqual(ids(1, 2));
  });

  it('keeps a job once, with values as long and as strange as a request may have, until it is removed', async () => {
    const metadata = { '': '', constructor: 'é', 'a#b': '漢'.repeat(500), 'e\u0301': 'é' };
    await add(1, metadata);
    await add(1, metadata);
    for (const [key, value] of Object.entries(metadata)) expect(await find({ key, value })).toEqual(ids(1));
    expect(await find({ key: 'é', value: 'é' })).toEqual([]);
    await index.remove({ ownerId, jobId: aJobId(1), metadata });
    for (const [key, value] of Object.entries(metadata)) expect(await find({ key, value })).toEqual([]);
  });
});
