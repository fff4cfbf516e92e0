import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Batch, type BatchRef, type BatchTable, batchSchema } from '../../core/batches/batch.ts';
import { afterEveryId, lastIdBefore } from '../../core/jobs/job-id.ts';
import { fromItem, queryItems, toItem } from './item.ts';
import { batchesPartition, dueBatchesPartition, ownerIdFromPartition } from './table-keys.ts';
import { versionedItem } from './versioned-item.ts';

const keySchema = z.object({ pk: z.string(), sk: z.string() });

/** The batches of owners on DynamoDB: one item each, in the index of due work until it has ended. */
export function batchTable(client: DynamoDBClient, tableName: string): BatchTable {
  const keyOf = ({ ownerId, batchId }: BatchRef) => toItem({ pk: batchesPartition(ownerId), sk: batchId });
  const stored = versionedItem<Partial<Batch> & { version: number }>(client, tableName, (attributes) =>
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
    async list(ownerId, { limit, beforeId }) {
      // One item more than requested shows whether there is a next page.
      const query = {
        TableName: tableName,
        KeyConditionExpression: 'pk = :owner AND sk <= :last',
        ExpressionAttributeValues: toItem({
          ':owner': batchesPartition(ownerId),
          ':last': beforeId === undefined ? afterEveryId : lastIdBefore(beforeId),
        }),
        ScanIndexForward: false,
        ConsistentRead: true,
      };
      const items = await queryItems(client, query, limit + 1);
      const batches = items.slice(0, limit).map((item) => batchSchema.parse(fromItem(item)));
      return { batches, lastId: items.length > limit ? batches.at(-1)?.batchId : undefined };
    },
    async due(now) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: 'due',
          KeyConditionExpression: 'duePartition = :partition AND dueAt <= :now',
          ExpressionAttributeValues: toItem({ ':partition': dueBatchesPartition, ':now': now.toISOString() }),
        }),
      );
      return Items.map((item) => {
        const { pk, sk } = keySchema.parse(fromItem(item));
        return { ownerId: ownerIdFromPartition(pk), batchId: sk };
      });
    },
  };
}
