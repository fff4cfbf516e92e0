import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type StorageProvider,
  type StorageProviderRef,
  type StorageProviderTable,
  storageProviderSchema,
} from '../../core/storage/provider.ts';
import {
  type Condition,
  deleteItem,
  fromItem,
  getItem,
  type Item,
  putItem,
  toItem,
  updateItem,
  writeIf,
} from './item.ts';
import { queryPrefix } from './query-prefix.ts';
import { ownerPartition, storageProviderSort, storageProviderSortPrefix } from './table-keys.ts';

export function storageProviderTable(client: DynamoDBClient, tableName: string): StorageProviderTable {
  const keyOf = ({ ownerId, storageProviderId }: StorageProviderRef): Item =>
    toItem({ pk: ownerPartition(ownerId), sk: storageProviderSort(storageProviderId) });
  const put = (provider: StorageProvider, condition: Condition) =>
    writeIf(() => putItem(client, tableName, { ...toItem(provider), ...keyOf(provider) }, condition));
  const isVersion = ({ updatedAt }: Pick<StorageProvider, 'updatedAt'>): Condition => ({
    ConditionExpression: 'updatedAt = :updatedAt',
    ExpressionAttributeValues: toItem({ ':updatedAt': updatedAt }),
  });

  return {
    get: async (ref) => {
      const item = await getItem(client, tableName, keyOf(ref));
      return item && storageProviderSchema.parse(fromItem(item));
    },
    list: async (ownerId) => {
      const items = await queryPrefix(client, tableName, {
        partition: ownerPartition(ownerId),
        prefix: storageProviderSortPrefix,
      });
      return items.map((item) => storageProviderSchema.parse(fromItem(item)));
    },
    create: async (provider) => {
      // Ids are random: if the item exists, the SDK has repeated a write whose response was lost.
      await put(provider, { ConditionExpression: 'attribute_not_exists(pk)' });
    },
    replace: (provider, before) => put(provider, isVersion(before)),
    remove: (ref) => deleteItem(client, tableName, keyOf(ref)),
    recordTest: async (tested, test) => {
      const condition = isVersion(tested);
      await writeIf(() =>
        updateItem(client, tableName, keyOf(tested), {
          UpdateExpression: 'SET lastTest = :test',
          ...condition,
          ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ...toItem({ ':test': test }) },
        }),
      );
    },
  };
}
