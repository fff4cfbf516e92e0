import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { type UsageRecords, usageCounterSchema } from '../../core/jobs/usage-counter.ts';
import { jobFromItem } from './job-item.ts';
import { fromItem, openTable } from './table.ts';
import { fromUsageSort, jobSort, ownerPartition, usagePartition, usageSort } from './table-keys.ts';

const counterItemSchema = usageCounterSchema.extend({ sk: z.string() });

/** Sorts after every shard. */
const lastShard = '~';

/** Some 20 MB, which take seconds to read. Ten keys that use three recipes each have 15,000 in 31 days at most. */
const defaultMaxCounters = 50_000;

/** Reads the usage of an owner's ended jobs from its counters, at most `maxCounters`, and newest jobs. */
export function usageRecords(
  client: DynamoDBClient,
  tableName: string,
  maxCounters = defaultMaxCounters,
): UsageRecords {
  const table = openTable(client, tableName);
  return {
    totals: async ({ ownerId, firstDate, lastDate }) => {
      const query = {
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        values: {
          ':pk': usagePartition(ownerId),
          ':first': usageSort(firstDate, ''),
          ':last': usageSort(lastDate, lastShard),
        },
        ScanIndexForward: false,
      };
      // One more than is counted shows whether there are more.
      const items = await table.query(query, maxCounters + 1);
      const totals = items.slice(0, maxCounters).map((item) => {
        const { sk, version: _, ...counter } = counterItemSchema.parse(fromItem(item));
        return { ...fromUsageSort(sk), ...counter };
      });
      return { totals, truncated: items.length > maxCounters };
    },
    uncounted: async ({ ownerId, limit, ...period }) => {
      const { Items = [] } = await table.page({
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
        FilterExpression: 'usageCounted = :false',
        values: { ':partition': ownerPartition(ownerId), ':false': false, ...sortRange(period) },
        ScanIndexForward: false,
        ConsistentRead: true,
        // Of the items that are read, not of those that pass the filter.
        Limit: limit,
      });
      return Items.map(jobFromItem).filter(isTerminal);
    },
  };
}

/** The sort keys of the jobs of a period. No job has the id at its end. */
function sortRange({ from, until }: { from: Date; until: Date }) {
  return { ':first': jobSort(minJobIdAt(from)), ':last': jobSort(minJobIdAt(until)) };
}
