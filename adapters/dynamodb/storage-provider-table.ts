import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type StorageProvider,
  type StorageProviderRef,
  type StorageProviderTable,
  storageProviderSchema,
} from '../../core/storage/provider.ts';
import { type Condition, fromItem, type Item, isNew, openTable, prefixQuery, toItem } from './table.ts';
import { ownerPartition, storageProviderSort, storageProviderSortPrefix } from './table-keys.ts';

export function storageProviderTable(client: DynamoDBClient, tableName: string): StorageProviderTable {
  const table = openTable(client, tableName);
  const keyOf = ({ ownerId, storageProviderId }: StorageProviderRef): Item =>
    toItem({ pk: ownerPartition(ownerId), sk: storageProviderSort(storageProviderId) });
  const put = (provider: StorageProvider, condition: Condition) =>
    table.put({ ...toItem(provider), ...keyOf(provider) }, condition);
  const isVersion = ({ updatedAt }: Pick<StorageProvider, 'updatedAt'>): Condition => ({
    ConditionExpression: 'updatedAt = :updatedAt',
    ExpressionAttributeValues: toItem({ ':updatedAt': updatedAt }),
  });

  return {
    get: async (ref) => {
      const item = await table.get(keyOf(ref));
      return item && storageProviderSchema.parse(fromItem(item));
    },
    list: async (ownerId) => {
      const items = await table.query(prefixQuery(ownerPartition(ownerId), storageProviderSortPrefix));
      return items.map((item) => storageProviderSchema.parse(fromItem(item)));
    },
    create: async (provider) => {
      // Ids are random: if the item exists, the SDK has repeated a write whose response was lost.
      await put(provider, isNew);
    },
    replace: (provider, before) => put(provider, isVersion(before)),
    remove: async (ref) => void (await table.remove(keyOf(ref))),
    recordTest: async (tested, test) => {
      await table.set(keyOf(tested), { lastTest: test }, isVersion(tested));
    },
  };
}
