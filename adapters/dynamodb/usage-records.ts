import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import { type UsageRecords, type UsageRow, usageRowSchema } from '../../core/jobs/usage.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { jobSort, ownerPartition } from './table-keys.ts';

/** Reads the usage of an owner from the owner's jobs, newest first. */
export function usageRecords(client: DynamoDBClient, tableName: string): UsageRecords {
  return {
    read: async ({ ownerId, from, until, limit }) => {
      const rows: UsageRow[] = [];
      let startKey: Item | undefined;
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
            FilterExpression: '#state <> :deleted',
            ProjectionExpression: '#state, createdAt, claimedAt, completedAt, mediaSeconds, files',
            ExpressionAttributeNames: { '#state': 'state' },
            ExpressionAttributeValues: toItem({
              ':pk': ownerPartition(ownerId),
              ':first': jobSort(minJobIdAt(from)),
              ':last': jobSort(minJobIdAt(until)),
              ':deleted': 'deleted',
            }),
            ScanIndexForward: false,
            ExclusiveStartKey: startKey,
          }),
        );
        rows.push(...(page.Items ?? []).map((item) => usageRowSchema.parse(fromItem(item))));
        startKey = page.LastEvaluatedKey;
      } while (startKey !== undefined && rows.length <= limit);
      return { rows: rows.slice(0, limit), truncated: rows.length > limit };
    },
  };
}
