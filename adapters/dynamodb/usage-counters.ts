import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ZodType } from 'zod';
import * as z from 'zod';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { usageDateOf } from '../../core/jobs/usage.ts';
import {
  emptyUsageCounter,
  type UsageCounters,
  type UsageRecords,
  type UsageRef,
  usageCounterSchema,
} from '../../core/jobs/usage-counter.ts';
import { jobFromItem } from './job-item.ts';
import { fromItem, openTable, toItem, versionedItem } from './table.ts';
import { fromUsageSort, jobSort, ownerPartition, usagePartition, usageSort } from './table-keys.ts';

/** Counters of one owner, day and group: at 250 jobs per second each gets some 16 writes per second. */
const usageShards = 16;

export function usageCounters(client: DynamoDBClient, tableName: string): UsageCounters {
  return jobCounters(client, tableName, {
    sortOf: ({ jobId, group }: UsageRef) =>
      usageSort(usageDateOf(jobId), Number.parseInt(jobId.slice(-2), 16) % usageShards, group),
    schema: usageCounterSchema,
    empty: emptyUsageCounter,
  });
}

const retentionSeconds = 400 * 24 * 3_600;

type CounterKind<Ref, Counter> = {
  sortOf: (ref: Ref) => string;
  schema: ZodType<Counter>;
  /** The counter before its first write. */
  empty: Counter;
};

/** Counters of an owner's jobs. Each is kept for 400 days after the creation of the job of its last write. */
export function jobCounters<Ref extends JobRef, Counter extends { version: number }>(
  client: DynamoDBClient,
  tableName: string,
  { sortOf, schema, empty }: CounterKind<Ref, Counter>,
): {
  /** Strongly consistent. */
  read(ref: Ref): Promise<Counter>;
  /** Replaces the counter of the version before; false if there is another version. */
  write(ref: Ref, counter: Counter): Promise<boolean>;
} {
  const keyOf = (ref: Ref) => toItem({ pk: usagePartition(ref.ownerId), sk: sortOf(ref) });
  const counters = versionedItem(openTable(client, tableName), (attributes) =>
    attributes === undefined ? empty : schema.parse(attributes),
  );
  return {
    read: (ref) => counters.read(keyOf(ref)),
    write: (ref, counter) => {
      const expiresAt = Date.parse(usageDateOf(ref.jobId)) / 1000 + retentionSeconds;
      return counters.write(keyOf(ref), counter.version - 1, { ...counter, expiresAt });
    },
  };
}

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
    uncounted: async ({ ownerId, limit, from, until }) => {
      const { Items = [] } = await table.page({
        KeyConditionExpression: 'pk = :partition AND sk BETWEEN :first AND :last',
        FilterExpression: 'usageCounted = :false',
        values: {
          ':partition': ownerPartition(ownerId),
          ':false': false,
          ':first': jobSort(minJobIdAt(from)),
          // No job has the id at the end of a period.
          ':last': jobSort(minJobIdAt(until)),
        },
        ScanIndexForward: false,
        ConsistentRead: true,
        // Of the items that are read, not of those that pass the filter.
        Limit: limit,
      });
      return Items.map(jobFromItem).filter(isTerminal);
    },
  };
}
