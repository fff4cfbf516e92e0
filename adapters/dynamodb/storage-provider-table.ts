import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type StorageProvider,
  type StorageProviderRef,
  type StorageProviderTable,
  storageProviderSchema,
} from '../../core/storage/provider.ts';
import type { Condition } from './guard-condition.ts';
import { fromItem, type Item, toItem, writeIf } from './item.ts';
import { queryPrefix } from './query-prefix.ts';
import { ownerPartition, storageProviderSort, storageProviderSortPrefix } from './table-keys.ts';

export function storageProviderTable(client: DynamoDBClient, tableName: string): StorageProviderTable {
  const keyOf = ({ ownerId, storageProviderId }: StorageProviderRef): Item =>
    toItem({ pk: ownerPartition(ownerId), sk: storageProviderSort(storageProviderId) });
  const put = (provider: StorageProvider, condition: Condition) =>
    writeIf(() =>
      client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: { ...toItem(provider), ...keyOf(provider) },
          ...condition,
        }),
      ),
    );
  const isVersion = ({ updatedAt }: Pick<StorageProvider, 'updatedAt'>): Condition => ({
    ConditionExpression: 'updatedAt = :updatedAt',
    ExpressionAttributeValues: toItem({ ':updatedAt': updatedAt }),
  });

  return {
    get: async (ref) => {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key: keyOf(ref), ConsistentRead: true }),
      );
      return Item && storageProviderSchema.parse(fromItem(Item));
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
    remove: async (ref) => {
      await client.send(new DeleteItemCommand({ TableName: tableName, Key: keyOf(ref) }));
    },
    recordTest: async (tested, test) => {
      const condition = isVersion(tested);
      await writeIf(() =>
        client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: keyOf(tested),
            UpdateExpression: 'SET lastTest = :test',
            ...condition,
            ExpressionAttributeValues: {
              ...condition.ExpressionAttributeValues,
              ...toItem({ ':test': test }),
            },
          }),
        ),
      );
    },
  };
}
