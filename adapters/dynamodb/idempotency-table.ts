import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Reservation, Reservations } from '../../core/jobs/idempotency.ts';
import { timestampSchema } from '../../core/timestamp.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { idempotencySort, ownerPartition } from './table-keys.ts';

const reservationSchema: z.ZodType<Reservation> = z.object({
  ownerId: z.string(),
  keyHash: z.string(),
  jobId: z.string(),
  bodyHash: z.string(),
  createdAt: timestampSchema,
  expiresAt: z.int(),
});

/** Idempotency reservations on DynamoDB: one item per key of an owner. */
export function idempotencyTable(client: DynamoDBClient, tableName: string): Reservations {
  const find = async (Key: Item): Promise<Reservation | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
    );
    return Item && reservationSchema.parse(fromItem(Item));
  };

  return {
    reserve: async (reservation, now) => {
      const key = toItem({
        pk: ownerPartition(reservation.ownerId),
        sk: idempotencySort(reservation.keyHash),
      });
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: { ...toItem(reservation), ...key },
            // DynamoDB deletes expired items up to days late.
            ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
            ExpressionAttributeValues: toItem({ ':now': Math.floor(now.getTime() / 1000) }),
          }),
        );
        return reservation;
      } catch (cause) {
        if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
        const existing = await find(key);
        // It expired and was deleted between put and get: the caller's retry reserves the key again.
        if (existing === undefined) throw cause;
        return existing;
      }
    },
  };
}
