import { beforeEach, describe, expect, it } from 'vitest';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import type { KeyRecord, KeyTable } from '../../core/access/key-record.ts';
import { memoryKeyTable } from '../../lab/simulation/memory/key-table.ts';
import { later } from '../builders/jobs/jobs.ts';
import { aNewOwner, bothStores } from './stores.ts';

describe.each(bothStores(keyTable, memoryKeyTable))('the key table %s', (_, open) => {
  let keys: KeyTable;
  let ownerId: string;
  beforeEach(async () => {
    keys = await open();
    ownerId = aNewOwner();
  });

  const aKey = (keyId = 'key-1'): KeyRecord => ({
    ownerId,
    keyId,
    name: 'laptop',
    hash: `hash of ${ownerId} ${keyId}`,
    preview: 'nte_ab12…wxyz',
    createdAt: later(0).toISOString(),
    scopes: ['jobs:read'],
    limits: {},
  });
  const use = (seconds: number) => ({
    usedAt: later(seconds * 1_000),
    unlessRecordedSince: later((seconds - 60) * 1_000),
  });

  it('finds the owner and the access of a key by its hash, and none by another hash', async () => {
    const access = { expiresAt: later(60_000).toISOString(), limits: { maxUnfinishedJobs: 3 } };
    const key: KeyRecord = { ...aKey(), ...access, parentHash: 'its parent', parentId: 'key-0' };
    await keys.create(key);
    expect(await keys.findByHash(key.hash)).toEqual({
      ownerId,
      keyId: 'key-1',
      hash: key.hash,
      scopes: ['jobs:read'],
      parentHash: 'its parent',
      ...access,
    });
    expect(await keys.list(ownerId)).toEqual([key]);
    expect(await keys.findByHash(`${key.hash}.`)).toBeUndefined();
  });

  it('finds a key by its owner and id', async () => {
    const key: KeyRecord = { ...aKey(), expiresAt: later(60_000).toISOString() };
    await keys.create(key);
    expect(await keys.find(key)).toEqual(key);
    expect(await keys.find({ ownerId, keyId: 'key-2' })).toBeUndefined();
    expect(await keys.find({ ownerId: aNewOwner(), keyId: 'key-1' })).toBeUndefined();
  });

  it("lists an owner's keys, and no one else's", async () => {
    await keys.create(aKey('key-1'));
    await keys.create(aKey('key-2'));
    expect(await keys.list(ownerId)).toEqual([aKey('key-1'), aKey('key-2')]);
    expect(await keys.list(aNewOwner())).toEqual([]);
  });

  it('no longer finds a key from the moment it is revoked', async () => {
    const key = aKey();
    await keys.create(key);
    await keys.revoke(key);
    expect(await keys.findByHash(key.hash)).toBeUndefined();
    expect(await keys.list(ownerId)).toEqual([]);
  });

  it('revokes the children of a key and no other', async () => {
    const [key, child, other] = [aKey('key-1'), { ...aKey('key-2'), parentHash: aKey().hash }, aKey('key-3')];
    for (const record of [key, child, other]) await keys.create(record);
    await keys.revoke(key);
    expect(await keys.findByHash(child.hash)).toBeUndefined();
    expect(await keys.list(ownerId)).toEqual([other]);
  });

  it('puts one key in the place of another, and of several at once only the one that is listed is valid', async () => {
    const [before, ...others] = ['0', '1', '2', '3'].map((n) => ({ ...aKey(), hash: `hash ${ownerId} ${n}` }));
    if (before === undefined) throw new Error('There is a first key');
    expect(await keys.replace(before, undefined)).toBe(true);
    expect(await keys.replace(before, undefined)).toBe(false);
    const replaced = await Promise.all(others.map((other) => keys.replace(other, before)));
    expect(replaced.filter((written) => written)).toHaveLength(1);
    const valid = await Promise.all([before, ...others].map(({ hash }) => keys.findByHash(hash)));
    const [listed] = await keys.list(ownerId);
    expect(valid.flatMap((key) => key?.hash ?? [])).toEqual([listed?.hash]);
  });

  it('removes keys and no other', async () => {
    const [first, second, other] = [aKey('key-1'), aKey('key-2'), aKey('key-3')];
    for (const record of [first, second, other]) await keys.create(record);
    await keys.remove([first, second]);
    for (const { hash } of [first, second]) expect(await keys.findByHash(hash)).toBeUndefined();
    expect(await keys.list(ownerId)).toEqual([other]);
  });

  it('records the last use, which requests and lists show', async () => {
    const key = aKey();
    await keys.create(key);
    await keys.recordUse(key, use(0));
    expect(await keys.findByHash(key.hash)).toMatchObject({ lastUsedAt: later(0).toISOString() });
    expect(await keys.list(ownerId)).toEqual([{ ...key, lastUsedAt: later(0).toISOString() }]);
  });

  it('records the last use at most once a minute', async () => {
    const key = aKey();
    await keys.create(key);
    for (const seconds of [0, 30, 59]) await keys.recordUse(key, use(seconds));
    expect(await keys.findByHash(key.hash)).toMatchObject({ lastUsedAt: later(0).toISOString() });
    await keys.recordUse(key, use(60));
    expect(await keys.findByHash(key.hash)).toMatchObject({ lastUsedAt: later(60_000).toISOString() });
  });

  it('does not bring a revoked key back by recording its use', async () => {
    const key = aKey();
    await keys.create(key);
    await keys.revoke(key);
    await keys.recordUse(key, use(0));
    expect(await keys.findByHash(key.hash)).toBeUndefined();
    expect(await keys.list(ownerId)).toEqual([]);
  });
});
