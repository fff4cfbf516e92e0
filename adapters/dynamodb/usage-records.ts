import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import { type UsageRecords, usageCounterSchema } from '../../core/jobs/usage-counter.ts';
import { fromItem, type Item, toItem } from './item.ts';
import {
  dateFromUsageSort,
  jobIdFromSort,
  jobSort,
  statePartition,
  usagePartition,
  usageSort,
} from './table-keys.ts';

const counterItemSchema = usageCounterSchema.extend({ sk: z.string() });
const indexEntrySchema = z.object({ sk: z.string() });

/** Sorts after every shard. */
const lastShard = '~';

/** Reads an owner's usage from its counters, and its unfinished jobs from the index `byState`. */
export function usageRecords(client: DynamoDBClient, tableName: string): UsageRecords {
  const query = async (input: Omit<QueryCommandInput, 'TableName'>, limit = Number.POSITIVE_INFINITY) => {
    const items: Item[] = [];
    let startKey: Item | undefined;
    do {
      const page = await client.send(
        new QueryCommand({ ...input, TableName: tableName, ExclusiveStartKey: startKey }),
      );
      items.push(...(page.Items ?? []));
      startKey = page.LastEvaluatedKey;
    } while (startKey !== undefined && items.length < limit);
    return items.slice(0, limit).map(fromItem);
  };
  return {
    totals: async ({ ownerId, firstDate, lastDate }) => {
      const items = await query({
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: toItem({
          ':pk': usagePartition(ownerId),
          ':first': usageSort(firstDate, ''),
          ':last': usageSort(lastDate, lastShard),
        }),
      });
      return items.map((item) => {
        const { sk, jobs, mediaMs, computeMs, outputBytes } = counterItemSchema.parse(item);
        return { date: dateFromUsageSort(sk), jobs, mediaMs, computeMs, outputBytes };
      });
    },
    unfinished: async ({ ownerId, state, from, until, limit }) => {
      const items = await query(
        {
          IndexName: 'byState',
          KeyConditionExpression: 'stateKey = :partition AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: toItem({
            ':partition': statePartition(ownerId, state),
            ':first': jobSort(minJobIdAt(from)),
            ':last': jobSort(minJobIdAt(until)),
          }),
          ScanIndexForward: false,
          Limit: limit,
        },
        limit,
      );
      return items.map((item) => jobIdFromSort(indexEntrySchema.parse(item).sk));
    },
  };
}
