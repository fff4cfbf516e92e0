import { describe, expect, it } from 'vitest';
import { findBucketObject, mayUse, type StageBuckets, withStageBuckets } from '../../../core/storage/stage-bucket.ts';
import { memoryStorageProviderTable } from '../../../lab/simulation/memory/storage-provider-table.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';

const stage: StageBuckets = {
  region: 'eu-central-1',
  buckets: [
    { name: 'raw', bucket: 'media', prefix: 'raw', access: 'read', owners: ['owner-1'] },
    { name: 'own', bucket: 'media', prefix: '{ownerId}/', access: 'read-write', owners: ['owner-1', 'owner-2'] },
    { name: 'drop', bucket: 'drop', access: 'write', owners: ['owner-1'] },
    { name: 'all', bucket: 'all', access: 'read', owners: ['owner-2'] },
  ],
};

describe('the storage providers of an owner', () => {
  it('are the buckets of the stage that name the owner, and those of the table', async () => {
    const table = memoryStorageProviderTable();
    const own = aStorageProvider();
    await table.create(own);
    const providers = withStageBuckets(table, stage);
    const listed = await providers.list('owner-1');
    expect(listed.map((one) => one.storageProviderId)).toEqual(['bucket:raw', 'bucket:own', 'bucket:drop', 'sp_1']);
    for (const provider of listed) expect(await providers.get(provider)).toEqual(provider);
    expect(listed[1]).toMatchObject({ kind: 's3', region: 'eu-central-1', bucket: 'media', prefix: 'owner-1/' });
    expect(await providers.get({ ownerId: 'owner-2', storageProviderId: 'bucket:raw' })).toBeUndefined();
  });

  it('of the stage are used as its settings allow, and others in any way', async () => {
    const [read, both, write] = await withStageBuckets(memoryStorageProviderTable(), stage).list('owner-1');
    const uses = [read, both, write, aStorageProvider()].map((one = aStorageProvider()) => [
      mayUse(one, 'read'),
      mayUse(one, 'write'),
    ]);
    expect(uses).toEqual([
      [true, false],
      [true, true],
      [false, true],
      [true, true],
    ]);
  });
});

describe('the URL of an object', () => {
  it.each([
    ['s3://media/raw/a b%20?.mp4', 'owner-1', 'bucket:raw', 'a b%20?.mp4'],
    ['s3://media/owner-1/x/a.mp4', 'owner-1', 'bucket:own', 'x/a.mp4'],
    ['s3://all/a.mp4', 'owner-2', 'bucket:all', 'a.mp4'],
  ])('%s of %s is in the provider %s', (url, ownerId, storageProviderId, key) => {
    const found = findBucketObject(url, { ...stage, ownerId });
    expect(found).toEqual({ object: { storageProviderId, key } });
  });

  it.each([
    ['s3://media/raw/a.mp4', 'owner-2', 'setting `buckets`'],
    ['s3://media/owner-2/a.mp4', 'owner-1', 'setting `buckets`'],
    ['s3://media/rawfiles/a.mp4', 'owner-1', 'setting `buckets`'],
    ['s3://drop/a.mp4', 'owner-1', 'setting `buckets`'],
    ['s3://media/raw/../owner-2/a.mp4', 'owner-1', 'segment . or ..'],
    ['s3://media/raw/', 'owner-1', 'slash'],
    ['s3://media', 'owner-1', 's3://, a bucket'],
    ['s3:media/raw/a.mp4', 'owner-1', 's3://, a bucket'],
  ])('%s is rejected for %s', (url, ownerId, message) => {
    expect(findBucketObject(url, { ...stage, ownerId }).rejection).toContain(message);
  });
});
