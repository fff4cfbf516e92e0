import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Reservation, ReservationKey, Reservations } from '../../core/idempotency.ts';
import { timestampSchema } from '../../core/timestamp.ts';
import { type Condition, fromItem, getItem, type Item, putItem, toItem, writeIf } from './item.ts';
import { idempotencySort, ownerPartition } from './table-keys.ts';

const storedSchema = z.object({
  ownerId: z.string(),
  keyHash: z.string(),
  resourceId: z.string().optional(),
  /** In place of `resourceId` before 0.2.0. */
  jobId: z.string().optional(),
  bodyHash: z.string(),
  createdAt: timestampSchema,
  expiresAt: z.int(),
  result: z.string().optional(),
});

function fromStored(item: Item): Reservation {
  const { jobId = '', resourceId = jobId, ...fields } = storedSchema.parse(fromItem(item));
  return { ...fields, resourceId };
}

export function idempotencyTable(client: DynamoDBClient, tableName: string): Reservations {
  const read = async (key: ReservationKey): Promise<Reservation | undefined> => {
    const item = await getItem(client, tableName, itemKey(key));
    return item && fromStored(item);
  };

  const put = (reservation: Reservation, condition: Condition) =>
    putItem(client, tableName, { ...toItem(reservation), ...itemKey(reservation) }, condition);

  return {
    reserve: async (reservation, now) => {
      try {
        await put(reservation, {
          // DynamoDB deletes expired items up to days late.
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          ExpressionAttributeValues: toItem({ ':now': epochSeconds(now) }),
        });
        return reservation;
      } catch (cause) {
        if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
        const existing = await read(reservation);
        // It expired and was deleted between put and get: the caller's retry reserves the key again.
        if (existing === undefined) throw cause;
        return existing;
      }
    },
    find: async (key, now) => {
      const existing = await read(key);
      return existing !== undefined && existing.expiresAt > epochSeconds(now) ? existing : undefined;
    },
    complete: async (reservation, result) => {
      const isSame = {
        ConditionExpression: 'resourceId = :id',
        ExpressionAttributeValues: toItem({ ':id': reservation.resourceId }),
      };
      await writeIf(() => put({ ...reservation, result }, isSame));
    },
  };
}

function itemKey({ ownerId, keyHash }: ReservationKey): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: idempotencySort(keyHash) });
}

function epochSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}
