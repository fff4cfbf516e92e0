import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { usageDateOf } from '../../core/jobs/usage.ts';
import {
  emptyUsageCounter,
  type UsageCounters,
  type UsageRef,
  usageCounterSchema,
} from '../../core/jobs/usage-counter.ts';
import { jobCounters } from './job-counters.ts';
import { usageSort } from './table-keys.ts';

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
