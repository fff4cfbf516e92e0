import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  childrenOf,
  type KeyGrant,
  type KeyRecord,
  type KeyTable,
  keyGrantSchema,
  keyRecordSchema,
} from '../../core/access/key-record.ts';
import { deleteItems } from './batches.ts';
import { type Condition, fromItem, type Item, isNew, openTable, prefixQuery, toItem } from './table.ts';
import { keyHashPartition, keyHashSort, keySort, keySortPrefix, keysPartition } from './table-keys.ts';

/** API keys on DynamoDB: one item in the owner's list, and one under the key's hash for authentication. */
export function keyTable(client: DynamoDBClient, tableName: string): KeyTable {
  const table = openTable(client, tableName);
  const listKey = (ownerId: string, keyId: string): Item => toItem({ pk: keysPartition(ownerId), sk: keySort(keyId) });
  const hashKey = (hash: string): Item => toItem({ pk: keyHashPartition(hash), sk: keyHashSort });

  const list = async (ownerId: string): Promise<KeyRecord[]> => {
    const items = await table.query(prefixQuery(keysPartition(ownerId), keySortPrefix));
    return items.map((item) => keyRecordSchema.parse(fromStored(item)));
  };

  const remove = (records: readonly KeyRecord[]): Promise<void> => {
    const items = records.flatMap(({ ownerId, keyId, hash }) => [hashKey(hash), listKey(ownerId, keyId)]);
    return deleteItems(client, tableName, items);
  };

  const find: KeyTable['find'] = async ({ ownerId, keyId }) => {
    const item = await table.get(listKey(ownerId, keyId));
    return item && keyRecordSchema.parse(fromStored(item));
  };

  const putListed = (record: KeyRecord, condition?: Condition) =>
    table.put({ ...toStored(record), ...listKey(record.ownerId, record.keyId) }, condition);
  const putByHash = (record: KeyRecord) =>
    table.put({ ...toStored(keyGrantSchema.parse(record)), ...hashKey(record.hash) });
  const removeByHash = (hash: string) => table.remove(hashKey(hash));

  const revoke: KeyTable['revoke'] = async ({ ownerId, keyId, hash }) => {
    await removeByHash(hash);
    await remove(childrenOf(hash, await list(ownerId)));
    if (await table.remove(listKey(ownerId, keyId), hasHash(hash))) {
      // A replacement that still found itself listed may have written it since.
      await removeByHash(hash);
      return;
    }
    const replaced = await find({ ownerId, keyId });
    if (replaced !== undefined) await revoke(replaced);
  };

  return {
    findByHash: async (hash) => {
      const item = await table.get(hashKey(hash));
      return item && keyGrantSchema.parse({ ...fromStored(item), hash });
    },
    find,
    create: async (record) => {
      await putListed(record);
      await putByHash(record);
    },
    replace: async (record, before) => {
      if (before !== undefined) await removeByHash(before.hash);
      if (!(await putListed(record, before === undefined ? isNew : hasHash(before.hash)))) return false;
      if (before !== undefined) {
        // The request that made the key before may have written its hash only now: it had found its key in the list.
        await removeByHash(before.hash);
        await remove(childrenOf(before.hash, await list(record.ownerId)));
      }
      await putByHash(record);
      // Another replacement or a revocation came in between: it did not find this key by its hash.
      if ((await find(record))?.hash === record.hash) return true;
      await removeByHash(record.hash);
      return false;
    },
    list,
    remove,
    revoke,
    recordUse: async ({ ownerId, keyId, hash }, { usedAt, unlessRecordedSince }) => {
      const setLastUsed = (key: Item) =>
        table.update(key, {
          UpdateExpression: 'SET lastUsedAt = :at',
          // Without the condition an update would recreate the item of a key that was just revoked.
          ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :since)',
          ExpressionAttributeValues: toItem({
            ':at': usedAt.toISOString(),
            ':since': unlessRecordedSince.toISOString(),
          }),
        });
      // The condition does not hold if a concurrent request recorded its use, or if the key was revoked.
      const isRecorded = (await setLastUsed(hashKey(hash))) !== undefined;
      if (isRecorded) await setLastUsed(listKey(ownerId, keyId));
    },
  };
}

/** The condition that an item is still that of this key, not of one that has replaced it. */
function hasHash(hash: string): Condition {
  return {
    ConditionExpression: '#hash = :hash',
    ExpressionAttributeNames: { '#hash': 'hash' },
    ExpressionAttributeValues: toItem({ ':hash': hash }),
  };
}

/** DynamoDB deletes an expired key an hour later or more. Until then its caller is told that it expired, not that it is unknown. */
const keptExpiredSeconds = 3600;

/** The table's time to live is the number `expiresAt`, so the expiry of a key has another name there. */
function toStored({ expiresAt, ...fields }: KeyGrant): Item {
  if (expiresAt === undefined) return toItem(fields);
  const timeToLive = Math.floor(Date.parse(expiresAt) / 1000) + keptExpiredSeconds;
  return toItem({ ...fields, validUntil: expiresAt, expiresAt: timeToLive });
}

function fromStored(item: Item): Record<string, unknown> {
  const { validUntil, expiresAt: _, ...fields } = fromItem(item);
  return { ...fields, expiresAt: validUntil };
}
