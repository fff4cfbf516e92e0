import { describe, expect, it } from 'vitest';
import { batchTable } from '../../adapters/dynamodb/batch-table.ts';
import { createBatch } from '../../core/batches/batch.ts';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import { memoryBatchTable } from '../../lab/simulation/memory/batch-table.ts';
import { start } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

const aBatch = (ownerId: string, number: number) =>
  createBatch({
    ...{ batchId: minJobIdAt(new Date(start.getTime() + number)), createdAt: start, maxUsd: 1 },
    ...{ principal: { ownerId, caller: 'session' }, manifestUrl: 'https://example.com/m', request: { mode: 'recipe' } },
  });

describe.each(bothStores(batchTable, memoryBatchTable))('the batch table %s', (_, open) => {
  it('writes over the version that was read, and over no other', async () => {
    const [batches, ownerId] = [await open(), aNewOwner()];
    const batch = aBatch(ownerId, 1);
    expect(await batches.get(batch)).toBeUndefined();
    expect(await batches.write(batch)).toBe(true);
    expect(await batches.write(batch)).toBe(false);
    const next = { ...batch, version: 2, unfinished: ['one'], submitted: 1 };
    expect(await batches.write(next)).toBe(true);
    expect(await batches.write({ ...next, submitted: 2 })).toBe(false);
    expect(await batches.get(batch)).toEqual(next);
  });

  it('lists those of an owner, newest first', async () => {
    const [batches, ownerId] = [await open(), aNewOwner()];
    const all = [1, 2, 3].map((number) => aBatch(ownerId, number));
    for (const batch of all) await batches.write(batch);
    const [first, second, third] = all;
    expect(await batches.list(ownerId, { limit: 2 })).toEqual({ batches: [third, second], lastId: second?.batchId });
    expect(await batches.list(ownerId, { limit: 2, beforeId: second?.batchId })).toEqual({ batches: [first] });
    expect(await batches.list(aNewOwner(), { limit: 2 })).toEqual({ batches: [] });
  });

  it('finds those that are due until they have ended', async () => {
    const [batches, ownerId] = [await open(), aNewOwner()];
    const batch = aBatch(ownerId, 1);
    await batches.write(batch);
    const due = async (at: string | undefined) =>
      (await batches.due(new Date(at ?? 0))).filter((each) => each.ownerId === ownerId);
    expect(await due(start.toISOString())).toEqual([]);
    expect(await due(batch.dueAt)).toEqual([{ ownerId, batchId: batch.batchId }]);
    await batches.write({ ...batch, version: 2, dueAt: undefined });
    expect(await due(batch.dueAt)).toEqual([]);
  });
});
