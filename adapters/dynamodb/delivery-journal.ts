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
import { fromItem, getItem, type Item, putItem, toItem, writeIf } from './item.ts';
import { deletePrefix, type Prefix, queryLast, queryPrefix } from './query-prefix.ts';
import { attemptSort, attemptSortPrefix, endpointSortPrefix, jobPartition } from './table-keys.ts';

export function deliveryJournal(client: DynamoDBClient, tableName: string): DeliveryJournal {
  const get = async (ref: AttemptRef): Promise<DeliveryAttempt | undefined> => {
    const item = await getItem(client, tableName, attemptKey(ref));
    return item && attemptFromItem(item);
  };

  const put = async (attempt: DeliveryAttempt, ConditionExpression: string): Promise<JournalResult> => {
    const item = { ...toItem(attempt), ...attemptKey(attempt) };
    if (await writeIf(() => putItem(client, tableName, item, { ConditionExpression }))) return { written: true };
    const current = await get(attempt);
    if (isDeepStrictEqual(current, attemptFromItem(item))) return { written: true };
    return { written: false, current };
  };

  const prefixOf = (ref: JobRef, deliveryId?: string): Prefix => ({
    partition: jobPartition(ref),
    prefix: attemptSortPrefix(deliveryId),
  });
  const sorted = (found: readonly Item[]) => sortAttempts(found.map(attemptFromItem));

  return {
    get,
    open: (attempt) => put(attempt, 'attribute_not_exists(pk)'),
    close: (attempt) => put(attempt, 'attribute_exists(pk) AND attribute_not_exists(outcome)'),
    list: async (ref) => sorted(await queryPrefix(client, tableName, prefixOf(ref, ref.deliveryId))),
    listLatest: async (ref, limit) => sorted(await queryLast(client, tableName, { ...prefixOf(ref), limit })),
    removeAll: async (ref, options) => {
      await deletePrefix(client, tableName, { partition: jobPartition(ref), prefix: endpointSortPrefix });
      return deletePrefix(client, tableName, prefixOf(ref), options);
    },
  };
}

function attemptKey({ deliveryId, attempt, ...job }: AttemptRef): Item {
  return toItem({ pk: jobPartition(job), sk: attemptSort(deliveryId, attempt) });
}

function attemptFromItem(item: Item): DeliveryAttempt {
  return deliveryAttemptSchema.parse(fromItem(item));
}
