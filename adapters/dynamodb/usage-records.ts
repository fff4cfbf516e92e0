import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { type UsageRecords, usageCounterSchema } from '../../core/jobs/usage-counter.ts';
import { fromItem, toItem } from './item.ts';
import { jobFromItem } from './job-item.ts';
import { queryItems } from './query-items.ts';
import { fromUsageSort, jobSort, ownerPartition, usagePartition, usageSort } from './table-keys.ts';

const counterItemSchema = usageCounterSchema.extend({ sk: z.string() });

/** Sorts after every shard. */
const lastShard = '~';

/** Reads the usage of an owner's ended jobs from its counters and newest jobs. */
export function usageRecords(client: DynamoDBClient, tableName: string): UsageRecords {
  return {
    totals: async ({ ownerId, firstDate, lastDate }) => {
      const items = await queryItems(client, {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: toItem({
          ':pk': usagePartition(ownerId),
          ':first': usageSort(firstDate, ''),
          ':last': usageSort(lastDate, lastShard),
        }),
      });
      return items.map((item) => {
        const { sk, version: _, ...totals } = counterItemSchema.parse(fromItem(item));
        return { ...fromUsageSort(sk), ...totals };
      });
    },
    uncounted: async ({ ownerId, limit, ...period }) => {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
          FilterExpression: 'usageCounted = :false',
          ExpressionAttributeValues: toItem({
            ':partition': ownerPartition(ownerId),
            ':false': false,
            ...sortRange(period),
          }),
          ScanIndexForward: false,
          ConsistentRead: true,
          // Of the items that are read, not of those that pass the filter.
          Limit: limit,
        }),
      );
      return Items.map(jobFromItem).filter(isTerminal);
    },
  };
}

/** The sort keys of the jobs of a period. No job has the id at its end. */
function sortRange({ from, until }: { from: Date; until: Date }) {
  return { ':first': jobSort(minJobIdAt(from)), ':last': jobSort(minJobIdAt(until)) };
}
