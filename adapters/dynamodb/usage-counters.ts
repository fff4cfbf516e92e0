import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ZodType } from 'zod';
import type { JobRef } from '../../core/jobs/ports.ts';
import { usageDateOf } from '../../core/jobs/usage.ts';
import {
  emptyUsageCounter,
  type UsageCounters,
  type UsageRef,
  usageCounterSchema,
} from '../../core/jobs/usage-counter.ts';
import { openTable, toItem, versionedItem } from './table.ts';
import { usagePartition, usageSort } from './table-keys.ts';

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
