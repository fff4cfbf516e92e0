import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Erasures, erasureSchema } from '../../core/access/erasure.ts';
import { fromItem, type Item, isNew, openTable, toItem } from './table.ts';
import { erasureSort, erasuresPartition, ownerPartition } from './table-keys.ts';

export function erasureKey(ownerId: string): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: erasureSort });
}

/** The requests of owners. The item of one is in the index of due work until the erasure is done. */
export function erasureRequests(client: DynamoDBClient, tableName: string): Pick<Erasures, 'find' | 'request'> {
  const table = openTable(client, tableName);
  const find: Erasures['find'] = async (ownerId) => {
    const item = await table.get(erasureKey(ownerId));
    return item && erasureSchema.parse({ ...fromItem(item), ownerId });
  };
  return {
    find,
    request: async (erasure) => {
      const { ownerId, requestedAt } = erasure;
      const due = { duePartition: erasuresPartition, dueAt: requestedAt };
      const item = { ...erasureKey(ownerId), ...toItem({ requestedAt, ...due }) };
      return (await table.put(item, isNew)) ? erasure : ((await find(ownerId)) ?? erasure);
    },
  };
}
