import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type DeliveryAttempt, deliveryAttemptSchema, sortAttempts } from '../../core/webhooks/attempt.ts';
import type { AttemptRef, DeliveryJournal, JournalResult } from '../../core/webhooks/ports.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { itemsOfJob, prefixesOf } from './items-of-job.ts';
import { queryLast } from './query-prefix.ts';
import { attemptSort, attemptSortPrefix, jobPartition, ownerPartition } from './table-keys.ts';

/** The journal of delivery attempts on DynamoDB. */
export function deliveryJournal(client: DynamoDBClient, tableName: string): DeliveryJournal {
  const items = itemsOfJob(client, tableName);
  const getFrom = async (partition: string, ref: AttemptRef): Promise<DeliveryAttempt | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: attemptKey(partition, ref), ConsistentRead: true }),
    );
    return Item && attemptFromItem(Item);
  };

  /** Earlier versions of the service wrote attempts to the owner's partition. */
  const get = async (ref: AttemptRef): Promise<DeliveryAttempt | undefined> =>
    (await getFrom(jobPartition(ref), ref)) ?? getFrom(ownerPartition(ref.ownerId), ref);

  const put = async (attempt: DeliveryAttempt, ConditionExpression: string): Promise<JournalResult> => {
    const item = { ...toItem(attempt), ...attemptKey(jobPartition(attempt), attempt) };
    try {
      await client.send(new PutItemCommand({ TableName: tableName, Item: item, ConditionExpression }));
      return { written: true };
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      const current = await get(attempt);
      if (isDeepStrictEqual(current, attemptFromItem(item))) return { written: true };
      return { written: false, current };
    }
  };

  const sorted = (found: readonly Item[]) => sortAttempts(found.map(attemptFromItem));

  return {
    get,
    open: (attempt) => put(attempt, 'attribute_not_exists(pk)'),
    close: (attempt) => put(attempt, 'attribute_exists(pk) AND attribute_not_exists(outcome)'),
    list: async (ref) => sorted(await items.list(ref, attemptSortPrefix(ref.jobId, ref.deliveryId))),
    listLatest: async (ref, limit) => {
      const prefix = attemptSortPrefix(ref.jobId);
      const pages = prefixesOf(ref, prefix).map((each) => queryLast(client, tableName, { ...each, limit }));
      return sorted((await Promise.all(pages)).flat()).slice(-limit);
    },
    removeAll: (ref, options) => items.removeAll(ref, attemptSortPrefix(ref.jobId), options),
  };
}

function attemptKey(partition: string, { jobId, deliveryId, attempt }: AttemptRef): Item {
  return toItem({ pk: partition, sk: attemptSort(jobId, deliveryId, attempt) });
}

function attemptFromItem(item: Item): DeliveryAttempt {
  return deliveryAttemptSchema.parse(fromItem(item));
}
