import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { JobRef } from '../../core/jobs/ports.ts';
import { usageDateOf } from '../../core/jobs/usage.ts';
import { emptyUsageCounter, type UsageCounters, usageCounterSchema } from '../../core/jobs/usage-counter.ts';
import { toItem } from './item.ts';
import { usagePartition, usageSort } from './table-keys.ts';
import { versionedItem } from './versioned-item.ts';

/** Counters of one owner and day: at 250 jobs per second each gets some 16 writes per second. */
const usageShards = 16;

const retentionSeconds = 400 * 24 * 3_600;

/** The usage counters on DynamoDB: one item per owner, day and shard. */
export function usageCounters(client: DynamoDBClient, tableName: string): UsageCounters {
  const keyOf = ({ ownerId, jobId }: JobRef) =>
    toItem({ pk: usagePartition(ownerId), sk: usageSort(usageDateOf(jobId), shardOf(jobId)) });
  const counters = versionedItem(client, tableName, (attributes) =>
    attributes === undefined ? emptyUsageCounter : usageCounterSchema.parse(attributes),
  );
  return {
    read: (ref) => counters.read(keyOf(ref)),
    write: (ref, counter) => {
      const expiresAt = Date.parse(usageDateOf(ref.jobId)) / 1000 + retentionSeconds;
      return counters.write(keyOf(ref), counter.version - 1, { ...counter, expiresAt });
    },
  };
}

/** The shard of a job, from the random end of its id. */
function shardOf(jobId: string): number {
  return Number.parseInt(jobId.slice(-2), 16) % usageShards;
}
