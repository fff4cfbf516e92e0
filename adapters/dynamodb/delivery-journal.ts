import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dueShard } from '../../core/jobs/durations.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { deliveryFieldsSchema } from '../../core/jobs/record.ts';
import {
  type AttemptRef,
  type DeliveryAttempt,
  type DeliveryJournal,
  deliveryAttemptSchema,
  type EndpointDeliveries,
  type EndpointRef,
  type JournalResult,
  sortAttempts,
} from '../../core/webhooks/delivery.ts';
import { deletePrefix } from './batches.ts';
import { guardCondition } from './job-item.ts';
import { type Condition, fromItem, type Item, isNew, openTable, prefixQuery, toItem } from './table.ts';
import {
  attemptSort,
  attemptSortPrefix,
  duePartition,
  endpointSort,
  endpointSortPrefix,
  jobPartition,
} from './table-keys.ts';

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

/** As long as the journal keeps attempts. */
const keptSeconds = 30 * 86_400;

export function endpointDeliveries(client: DynamoDBClient, tableName: string): EndpointDeliveries {
  const table = openTable(client, tableName);
  const keyOf = (ref: EndpointRef) => toItem({ pk: jobPartition(ref), sk: endpointSort(ref.endpointId) });
  const get: EndpointDeliveries['get'] = async (ref) => {
    const item = await table.get(keyOf(ref));
    return item && deliveryFieldsSchema.parse(fromItem(item));
  };
  return {
    get,
    async write(ref, delivery, guard) {
      const { dueAt } = delivery;
      const due = dueAt === undefined ? {} : { duePartition: duePartition('delivery', dueShard(ref.jobId)) };
      const expiresAt = Math.ceil(Date.parse(dueAt ?? new Date().toISOString()) / 1000) + keptSeconds;
      const item = { ...toItem({ ...delivery, ...due, expiresAt }), ...keyOf(ref) };
      if (await table.put(item, guardCondition(guard))) return true;
      return isDeepStrictEqual(await get(ref), deliveryFieldsSchema.parse(fromItem(item)));
    },
    remove: async (ref) => void (await table.remove(keyOf(ref))),
  };
}
