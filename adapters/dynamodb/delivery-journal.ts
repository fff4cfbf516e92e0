import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { JobRef } from '../../core/jobs/ports.ts';
import {
  type AttemptRef,
  type DeliveryAttempt,
  type DeliveryJournal,
  deliveryAttemptSchema,
  type JournalResult,
  sortAttempts,
} from '../../core/webhooks/attempt.ts';
import { deletePrefix } from './batches.ts';
import { type Condition, fromItem, type Item, isNew, openTable, prefixQuery, toItem } from './table.ts';
import { attemptSort, attemptSortPrefix, endpointSortPrefix, jobPartition } from './table-keys.ts';

const isOpen = { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(outcome)' };

export function deliveryJournal(client: DynamoDBClient, tableName: string): DeliveryJournal {
  const table = openTable(client, tableName);
  const get = async (ref: AttemptRef): Promise<DeliveryAttempt | undefined> => {
    const item = await table.get(attemptKey(ref));
    return item && attemptFromItem(item);
  };

  const put = async (attempt: DeliveryAttempt, condition: Condition): Promise<JournalResult> => {
    const item = { ...toItem(attempt), ...attemptKey(attempt) };
    if (await table.put(item, condition)) return { written: true };
    const current = await get(attempt);
    if (isDeepStrictEqual(current, attemptFromItem(item))) return { written: true };
    return { written: false, current };
  };

  const attemptsOf = (ref: JobRef, deliveryId?: string) =>
    prefixQuery(jobPartition(ref), attemptSortPrefix(deliveryId));
  const sorted = (found: readonly Item[]) => sortAttempts(found.map(attemptFromItem));

  return {
    get,
    open: (attempt) => put(attempt, isNew),
    close: (attempt) => put(attempt, isOpen),
    list: async (ref) => sorted(await table.query(attemptsOf(ref, ref.deliveryId))),
    listLatest: async (ref, limit) =>
      sorted((await table.query({ ...attemptsOf(ref), ScanIndexForward: false }, limit)).reverse()),
    removeAll: async (ref, options) => {
      await deletePrefix(client, tableName, { partition: jobPartition(ref), prefix: endpointSortPrefix });
      return deletePrefix(client, tableName, { partition: jobPartition(ref), prefix: attemptSortPrefix() }, options);
    },
  };
}

function attemptKey({ deliveryId, attempt, ...job }: AttemptRef): Item {
  return toItem({ pk: jobPartition(job), sk: attemptSort(deliveryId, attempt) });
}

function attemptFromItem(item: Item): DeliveryAttempt {
  return deliveryAttemptSchema.parse(fromItem(item));
}
