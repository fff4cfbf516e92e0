import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type DeliveryAttempt, deliveryAttemptSchema, sortAttempts } from '../../core/webhooks/attempt.ts';
import type { AttemptRef, DeliveryJournal, JournalResult } from '../../core/webhooks/ports.ts';
import { deleteItems } from './batches.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { queryPrefix } from './query-prefix.ts';
import { attemptSort, attemptSortPrefix, ownerPartition } from './table-keys.ts';

/** The journal of delivery attempts on DynamoDB. */
export function deliveryJournal(client: DynamoDBClient, tableName: string): DeliveryJournal {
  const get = async (ref: AttemptRef): Promise<DeliveryAttempt | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: attemptKey(ref), ConsistentRead: true }),
    );
    return Item && attemptFromItem(Item);
  };

  const put = async (attempt: DeliveryAttempt, ConditionExpression: string): Promise<JournalResult> => {
    const item = { ...toItem(attempt), ...attemptKey(attempt) };
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

  const itemsOf = ({ ownerId, jobId, deliveryId }: Parameters<DeliveryJournal['list']>[0]) =>
    queryPrefix(client, tableName, { ownerId, prefix: attemptSortPrefix(jobId, deliveryId) });

  return {
    get,
    open: (attempt) => put(attempt, 'attribute_not_exists(pk)'),
    close: (attempt) => put(attempt, 'attribute_exists(pk) AND attribute_not_exists(outcome)'),
    list: async (ref) => sortAttempts((await itemsOf(ref)).map(attemptFromItem)),
    removeAll: async (ref) => deleteItems(client, tableName, await itemsOf(ref)),
  };
}

function attemptKey({ ownerId, jobId, deliveryId, attempt }: AttemptRef): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: attemptSort(jobId, deliveryId, attempt) });
}

function attemptFromItem(item: Item): DeliveryAttempt {
  return deliveryAttemptSchema.parse(fromItem(item));
}
