import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Reservation, ReservationKey, Reservations } from '../../core/idempotency.ts';
import { timestampSchema } from '../../core/timestamp.ts';
import { type Condition, fromItem, type Item, openTable, toItem } from './table.ts';
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

export function idempotencyTable(client: DynamoDBClient, tableName: string): Reservations {
  const table = openTable(client, tableName);
  const read = async (key: ReservationKey): Promise<Reservation | undefined> => {
    const item = await table.get(itemKey(key));
    if (item === undefined) return undefined;
    const { jobId = '', resourceId = jobId, ...fields } = storedSchema.parse(fromItem(item));
    return { ...fields, resourceId };
  };
  const put = (reservation: Reservation, condition: Condition) =>
    table.put({ ...toItem(reservation), ...itemKey(reservation) }, condition);

  const reserve: Reservations['reserve'] = async (reservation, now) => {
    const isFree = {
      // DynamoDB deletes expired items up to days late.
      ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
      ExpressionAttributeValues: toItem({ ':now': epochSeconds(now) }),
    };
    if (await put(reservation, isFree)) return reservation;
    // An item that expired and was deleted between put and get leaves the key free.
    return (await read(reservation)) ?? reserve(reservation, now);
  };

  return {
    reserve,
    find: async (key, now) => {
      const existing = await read(key);
      return existing !== undefined && existing.expiresAt > epochSeconds(now) ? existing : undefined;
    },
    complete: async (reservation, result) => {
      const isSame = {
        ConditionExpression: 'resourceId = :id',
        ExpressionAttributeValues: toItem({ ':id': reservation.resourceId }),
      };
      await put({ ...reservation, result }, isSame);
    },
  };
}

function itemKey({ ownerId, keyHash }: ReservationKey): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: idempotencySort(keyHash) });
}

function epochSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}
