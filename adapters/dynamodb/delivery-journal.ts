import { isDeepStrictEqual } from 'node:util';
import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { type DeliveryAttempt, deliveryAttemptSchema } from '../../core/webhooks/attempt.ts';
import type { AttemptRef, DeliveryJournal, JournalResult } from '../../core/webhooks/ports.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { attemptSort, attemptSortPrefix, ownerPartition } from './table-keys.ts';

/** The most requests that one BatchWriteItem takes (DynamoDB's API reference). */
const deletesPerBatch = 25;

/** The journal of delivery attempts on DynamoDB. */
export function deliveryJournal(client: DynamoDBClient, tableName: string): DeliveryJournal {
  const get = async (ref: AttemptRef): Promise<DeliveryAttempt | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: attemptKey(ref), ConsistentRead: true }),
    );
    return Item && attemptOfItem(Item);
  };

  const put = async (attempt: DeliveryAttempt, ConditionExpression: string): Promise<JournalResult> => {
    const item = { ...toItem(attempt), ...attemptKey(attempt) };
    try {
      await client.send(new PutItemCommand({ TableName: tableName, Item: item, ConditionExpression }));
      return { written: true };
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      const current = await get(attempt);
      if (isDeepStrictEqual(current, attemptOfItem(item))) return { written: true };
      return { written: false, current };
    }
  };

  const query = async (prefix: { ownerId: string; jobId: string; deliveryId?: string }): Promise<Item[]> => {
    const items: Item[] = [];
    let startKey: Item | undefined;
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: toItem({
            ':pk': ownerPartition(prefix.ownerId),
            ':prefix': attemptSortPrefix(prefix.jobId, prefix.deliveryId),
          }),
          ConsistentRead: true,
          ExclusiveStartKey: startKey,
        }),
      );
      items.push(...(page.Items ?? []));
      startKey = page.LastEvaluatedKey;
    } while (startKey !== undefined);
    return items;
  };

  return {
    get,
    open: (attempt) => put(attempt, 'attribute_not_exists(pk)'),
    close: (attempt) => put(attempt, 'attribute_exists(pk) AND attribute_not_exists(outcome)'),
    list: async (of) => (await query(of)).map(attemptOfItem),
    removeAll: async (of) => {
      let deletes = (await query(of)).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } as Item } }));
      while (deletes.length > 0) {
        const { UnprocessedItems } = await client.send(
          new BatchWriteItemCommand({ RequestItems: { [tableName]: deletes.slice(0, deletesPerBatch) } }),
        );
        const unprocessed = (UnprocessedItems?.[tableName] ?? []) as typeof deletes;
        deletes = [...unprocessed, ...deletes.slice(deletesPerBatch)];
      }
    },
  };
}

function attemptKey({ ownerId, jobId, deliveryId, attempt }: AttemptRef): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: attemptSort(jobId, deliveryId, attempt) });
}

function attemptOfItem(item: Item): DeliveryAttempt {
  return deliveryAttemptSchema.parse(fromItem(item));
}
