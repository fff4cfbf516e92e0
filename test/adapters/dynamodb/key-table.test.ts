import { expect, it } from 'vitest';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { createKeyRecord, newApiKey } from '../../../core/access/key-record.ts';
import { start } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const table = await aDynaliteTable();

const aRecord = (n: number, more: { ownerId: string; keyId?: string; parentHash?: string }) =>
  createKeyRecord(
    newApiKey((size) => new Uint8Array(size).fill(n)),
    { keyId: 'key-1', name: 'laptop', now: start, ...more },
  );

it('revokes a key even if its owner has too many keys to read, and can be repeated', async () => {
  const { client, tableName } = table;
  const keys = keyTable(client, tableName);
  const ownerId = 'owner-1';
  const key = aRecord(1, { ownerId });
  const child = aRecord(2, { ownerId, keyId: 'key-2', parentHash: key.hash });
  for (const record of [key, child]) await keys.create(record);

  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'QueryCommand') throw new Error('Timed out');
        return next(args);
      },
    { step: 'initialize', name: 'no queries' },
  );
  await expect(keys.revoke(key)).rejects.toThrow('Timed out');
  expect(await keys.findByHash(key.hash)).toBeUndefined();

  client.middlewareStack.remove('no queries');
  expect(await keys.find(key)).toEqual(key);
  await keys.revoke(key);
  expect(await keys.list(ownerId)).toEqual([]);
  expect(await keys.findByHash(child.hash)).toBeUndefined();
});

it.each(['QueryCommand', 'DeleteItemCommand'])(
  'leaves nothing valid of a key that a replay replaces while it is revoked, before the %s',
  async (before) => {
    const { client, tableName } = table;
    const keys = keyTable(client, tableName);
    const ownerId = `owner of ${before}`;
    const [first, second] = [aRecord(3, { ownerId }), aRecord(4, { ownerId })];
    await keys.create(first);
    let calls = 0;
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          // The first call of this kind is that of `revoke`, unless it is the one that ends the key.
          if (commandName === before && ++calls === (before === 'DeleteItemCommand' ? 2 : 1))
            expect(await keys.replace(second, first)).toBe(true);
          return next(args);
        },
      { step: 'initialize', name: 'replace' },
    );
    await keys.revoke(first);
    client.middlewareStack.remove('replace');
    expect(await keys.list(ownerId)).toEqual([]);
    for (const { hash } of [first, second]) expect(await keys.findByHash(hash)).toBeUndefined();
  },
);

it('leaves one key valid of two replays at once, the later of which replaces the other before that is found by its hash', async () => {
  const { client, tableName } = table;
  const keys = keyTable(client, tableName);
  const ownerId = 'owner of two replays';
  const [lost, earlier, later] = [aRecord(5, { ownerId }), aRecord(6, { ownerId }), aRecord(7, { ownerId })];
  await keys.create(lost);
  const [earlierIsListed, laterEndedIt] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let replaced: Promise<boolean> | undefined;
  let puts = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const put = commandName === 'PutItemCommand' ? ++puts : 0;
        if (put === 2) {
          earlierIsListed.resolve();
          await laterEndedIt.promise;
        } else if (put === 3) {
          laterEndedIt.resolve();
          expect(await replaced).toBe(true);
        }
        return next(args);
      },
    { step: 'initialize', name: 'two replays' },
  );
  replaced = keys.replace(earlier, lost);
  await earlierIsListed.promise;
  expect(await keys.replace(later, earlier)).toBe(true);
  client.middlewareStack.remove('two replays');
  expect(await keys.list(ownerId)).toEqual([later]);
  for (const { hash } of [lost, earlier]) expect(await keys.findByHash(hash)).toBeUndefined();
  expect(await keys.findByHash(later.hash)).toBeDefined();
});
