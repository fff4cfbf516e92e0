import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Batch, type BatchRef, type BatchTable, batchSchema } from '../../core/batches/batch.ts';
import { openTable, toItem, versionedItem } from './table.ts';
import { batchesPartition, dueBatchesPartition, ownerIdFromPartition } from './table-keys.ts';

/** The batches of owners on DynamoDB: one item each, in the index of due work until it has ended. */
export function batchTable(client: DynamoDBClient, tableName: string): BatchTable {
  const table = openTable(client, tableName);
  const keyOf = ({ ownerId, batchId }: BatchRef) => toItem({ pk: batchesPartition(ownerId), sk: batchId });
  const stored = versionedItem<Partial<Batch> & { version: number }>(table, (attributes) =>
    attributes === undefined ? { version: 0 } : batchSchema.parse(attributes),
  );
  return {
    async get(ref) {
      const batch = await stored.read(keyOf(ref));
      return batch.version === 0 ? undefined : batchSchema.parse(batch);
    },
    write: (batch) => {
      const duePartition = batch.dueAt === undefined ? undefined : dueBatchesPartition;
      return stored.write(keyOf(batch), batch.version - 1, { ...batch, ...{ duePartition } });
    },
    async list(ownerId, page) {
      const { items, lastId } = await table.newest(batchesPartition(ownerId), page);
      return { batches: items.map((item) => batchSchema.parse(item)), lastId };
    },
    async due(now) {
      const due = await table.due(dueBatchesPartition, now);
      return due.map(({ pk, sk }) => ({ ownerId: ownerIdFromPartition(pk), batchId: sk }));
    },
  };
}
