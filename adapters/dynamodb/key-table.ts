import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type KeyTable, keyRecordSchema } from '../../core/access/key-record.ts';
import { timestampSchema } from '../../core/timestamp.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { queryPrefix } from './query-prefix.ts';
import { keyHashPartition, keyHashSort, keySort, keySortPrefix, ownerPartition } from './table-keys.ts';

const keyOwnerSchema = z.object({
  ownerId: z.string(),
  keyId: z.string(),
  lastUsedAt: timestampSchema.optional(),
});

/** API keys on DynamoDB: one item under the owner for lists, and one under the key's hash for authentication. */
export function keyTable(client: DynamoDBClient, tableName: string): KeyTable {
  const ownerKey = (ownerId: string, keyId: string): Item =>
    toItem({ pk: ownerPartition(ownerId), sk: keySort(keyId) });
  const hashKey = (hash: string): Item => toItem({ pk: keyHashPartition(hash), sk: keyHashSort });

  return {
    findByHash: async (hash) => {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key: hashKey(hash), ConsistentRead: true }),
      );
      return Item && keyOwnerSchema.parse(fromItem(Item));
    },
    create: async (record) => {
      const { ownerId, keyId, hash } = record;
      const byOwner = { ...toItem(record), ...ownerKey(ownerId, keyId) };
      await client.send(new PutItemCommand({ TableName: tableName, Item: byOwner }));
      const byHash = { ...toItem({ ownerId, keyId }), ...hashKey(hash) };
      await client.send(new PutItemCommand({ TableName: tableName, Item: byHash }));
    },
    list: async (ownerId) => {
      const items = await queryPrefix(client, tableName, { ownerId, prefix: keySortPrefix });
      return items.map((item) => keyRecordSchema.parse(fromItem(item)));
    },
    revoke: async ({ ownerId, keyId }) => {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key: ownerKey(ownerId, keyId), ConsistentRead: true }),
      );
      if (Item === undefined) return false;
      const { hash } = keyRecordSchema.parse(fromItem(Item));
      await client.send(new DeleteItemCommand({ TableName: tableName, Key: hashKey(hash) }));
      await client.send(new DeleteItemCommand({ TableName: tableName, Key: ownerKey(ownerId, keyId) }));
      return true;
    },
    recordUse: async ({ ownerId, keyId, hash }, { usedAt, unlessRecordedSince }) => {
      const setLastUsed = (Key: Item) =>
        client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key,
            UpdateExpression: 'SET lastUsedAt = :at',
            // Without the condition an update would recreate the item of a key that was just revoked.
            ConditionExpression:
              'attribute_exists(pk) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :since)',
            ExpressionAttributeValues: toItem({
              ':at': usedAt.toISOString(),
              ':since': unlessRecordedSince.toISOString(),
            }),
          }),
        );
      try {
        await setLastUsed(hashKey(hash));
        await setLastUsed(ownerKey(ownerId, keyId));
      } catch (cause) {
        // A concurrent request recorded its use, or the key was revoked.
        if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      }
    },
  };
}
