import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Erasures, erasureSchema } from '../../core/access/erasure.ts';
import { fromItem, getItem, type Item, putItem, toItem, writeIf } from './item.ts';
import { erasureSort, erasuresPartition, ownerPartition } from './table-keys.ts';

/** The key of an owner's request. */
export function erasureKey(ownerId: string): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: erasureSort });
}

/** The requests of owners. The item of one is in the index of due work until the erasure is done. */
export function erasureRequests(client: DynamoDBClient, tableName: string): Pick<Erasures, 'find' | 'request'> {
  const find: Erasures['find'] = async (ownerId) => {
    const item = await getItem(client, tableName, erasureKey(ownerId));
    return item && erasureSchema.parse({ ...fromItem(item), ownerId });
  };

  return {
    find,
    request: async (erasure) => {
      const { ownerId, requestedAt } = erasure;
      const due = { duePartition: erasuresPartition, dueAt: requestedAt };
      const item = { ...erasureKey(ownerId), ...toItem({ requestedAt, ...due }) };
      const isAbsent = { ConditionExpression: 'attribute_not_exists(pk)' };
      const isWritten = await writeIf(() => putItem(client, tableName, item, isAbsent));
      return isWritten ? erasure : ((await find(ownerId)) ?? erasure);
    },
  };
}
