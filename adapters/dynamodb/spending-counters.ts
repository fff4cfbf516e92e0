import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import { usageDateOf } from '../../core/jobs/usage.ts';
import {
  amountsOf,
  confirmAt,
  emptySpendingCounter,
  maxReservations,
  type SpendingCounter,
  type SpendingCounters,
  type SpendingRef,
  spendingCounterSchema,
} from '../../core/spending/spending-counter.ts';
import { openTable, toItem } from './table.ts';
import { reservationsPartition, spendingFromKey, spendingSort, usagePartition } from './table-keys.ts';
import { jobCounters } from './usage-counters.ts';

/** An item has `unconfirmed` even if nothing is, so that `reserve` can add to it. */
const storedSchema = spendingCounterSchema.transform(
  ({ unconfirmed = {}, ...counter }): SpendingCounter =>
    Object.keys(unconfirmed).length === 0 ? counter : { ...counter, unconfirmed },
);

/**
 * The spending counters on DynamoDB: one item for each cap and month. An item also has the sums by which `reserve` is
 * conditional, and is in the index of due work while a reservation is unconfirmed.
 */
export function spendingCounters(client: DynamoDBClient, tableName: string): SpendingCounters {
  const table = openTable(client, tableName);
  const sortOf = ({ jobId, keyId }: SpendingRef) => spendingSort(usageDateOf(jobId).slice(0, 7), keyId);
  const counters = jobCounters(client, tableName, { sortOf, schema: storedSchema, empty: emptySpendingCounter });
  return {
    read: counters.read,
    write: (ref, counter) => counters.write(ref, { ...counter, ...derivedFrom(counter) }),
    reserve: async (ref, { cost, at, limits }) => {
      const reserved = await table.update(toItem({ pk: usagePartition(ref.ownerId), sk: sortOf(ref) }), {
        UpdateExpression:
          'SET reserved.#job = :cost, unconfirmed.#job = :at, byDay.#day = if_not_exists(byDay.#day, :zero) + :cost, ofMonth = ofMonth + :cost, version = version + :one, duePartition = :partition, dueAt = if_not_exists(dueAt, :dueAt)',
        ConditionExpression:
          'attribute_exists(unconfirmed) AND attribute_not_exists(reserved.#job) AND size(reserved) < :most AND ofMonth <= :monthBefore AND (attribute_not_exists(byDay.#day) OR byDay.#day <= :dayBefore)',
        ExpressionAttributeNames: { '#job': ref.jobId, '#day': usageDateOf(ref.jobId) },
        ExpressionAttributeValues: toItem({
          ':cost': cost,
          ':at': at,
          ':zero': 0,
          ':one': 1,
          ':most': maxReservations,
          ':partition': reservationsPartition,
          ':dueAt': confirmAt(at),
          ':monthBefore': Math.min(Number.MAX_SAFE_INTEGER, limits.month - cost),
          ':dayBefore': Math.min(Number.MAX_SAFE_INTEGER, limits.day - cost),
        }),
      });
      return reserved !== undefined;
    },
    due: async (now) => {
      const due = await table.due(reservationsPartition, now);
      return due.map((key) => {
        const { month, ...owner } = spendingFromKey(key);
        return { ...owner, jobId: minJobIdAt(new Date(`${month}-01`)) };
      });
    },
  };
}

function derivedFrom(counter: SpendingCounter) {
  const { spent, reserved, unconfirmed = {} } = counter;
  const days = new Set([...Object.keys(spent), ...Object.keys(reserved).map(usageDateOf)]);
  const byDay = Object.fromEntries([...days].map((day) => [day, amountsOf(counter, { day }).day]));
  const [first] = Object.values(unconfirmed).toSorted();
  return {
    unconfirmed,
    byDay,
    ofMonth: amountsOf(counter, { day: '' }).month,
    ...(first !== undefined && { duePartition: reservationsPartition, dueAt: confirmAt(first) }),
  };
}
