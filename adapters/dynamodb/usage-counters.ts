import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { JobRef } from '../../core/jobs/ports.ts';
import { usageDateOf } from '../../core/jobs/usage.ts';
import { emptyUsageCounter, type UsageCounters, usageCounterSchema } from '../../core/jobs/usage-counter.ts';
import { jobCounters } from './job-counters.ts';
import { usageSort } from './table-keys.ts';

/** Counters of one owner and day: at 250 jobs per second each gets some 16 writes per second. */
const usageShards = 16;

/** The usage counters on DynamoDB: one item per owner, day and shard. */
export function usageCounters(client: DynamoDBClient, tableName: string): UsageCounters {
  return jobCounters(client, tableName, {
    sortOf: ({ jobId }: JobRef) => usageSort(usageDateOf(jobId), shardOf(jobId)),
    schema: usageCounterSchema,
    empty: emptyUsageCounter,
  });
}

/** The shard of a job, from the random end of its id. */
function shardOf(jobId: string): number {
  return Number.parseInt(jobId.slice(-2), 16) % usageShards;
}
