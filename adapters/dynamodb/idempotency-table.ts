import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Reservation, Reservations } from '../../core/jobs/idempotency.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { idempotencySort, ownerPartition } from './table-keys.ts';

const reservationSchema: z.ZodType<Reservation> = z.object({
  ownerId: z.string(),
  keyHash: z.string(),
  jobId: z.string(),
  bodyHash: z.string(),
  createdAt: z.string(),
  expiresAt: z.int(),
});

/** Reservations on DynamoDB, one item for each key of an owner. */
export function idempotencyTable(client: DynamoDBClient, tableName: string): Reservations {
  const find = async (Key: Item): Promise<Reservation | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
    );
    return Item && reservationSchema.parse(fromItem(Item));
  };

  return {
    reserve: async (wanted, now) => {
      const key = toItem({ pk: ownerPartition(wanted.ownerId), sk: idempotencySort(wanted.keyHash) });
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: { ...toItem(wanted), ...key },
            // The table deletes expired items late.
            ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
            ExpressionAttributeValues: toItem({ ':now': Math.floor(now.getTime() / 1000) }),
          }),
        );
        return wanted;
      } catch (cause) {
        if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
        const held = await find(key);
        // It expired and went within these milliseconds; the caller's next try reserves anew.
        if (held === undefined) throw cause;
        return held;
      }
    },
  };
}
