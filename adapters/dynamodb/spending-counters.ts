import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { usageDateOf } from '../../core/jobs/usage.ts';
import {
  emptySpendingCounter,
  type SpendingCounters,
  type SpendingRef,
  spendingCounterSchema,
} from '../../core/spending/spending-counter.ts';
import { jobCounters } from './job-counters.ts';
import { spendingSort } from './table-keys.ts';

/** The spending counters on DynamoDB: one item for each cap and month. */
export function spendingCounters(client: DynamoDBClient, tableName: string): SpendingCounters {
  return jobCounters(client, tableName, {
    sortOf: ({ jobId, keyId }: SpendingRef) => spendingSort(usageDateOf(jobId).slice(0, 7), keyId),
    schema: spendingCounterSchema,
    empty: emptySpendingCounter,
  });
}
