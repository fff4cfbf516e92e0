import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  enterDelivery,
  leaveDeliveries,
  markOrigin,
  noSlowDeliveries,
  type SlowDeliveries,
  slowDeliveriesSchema,
} from '../../core/webhooks/slow-deliveries.ts';
import { openTable, toItem, versionedItem } from './table.ts';
import { ownerPartition, slowDeliveriesSort } from './table-keys.ts';

export function slowDeliveries(client: DynamoDBClient, tableName: string): SlowDeliveries {
  const keyOf = (ownerId: string) => toItem({ pk: ownerPartition(ownerId), sk: slowDeliveriesSort });
  const owners = versionedItem(openTable(client, tableName), (attributes) =>
    attributes === undefined ? noSlowDeliveries : slowDeliveriesSchema.parse(attributes),
  );
  return {
    mark: ({ ownerId, origin }, times) => owners.change(keyOf(ownerId), (before) => markOrigin(before, origin, times)),
    enter: async (delivery, limit) => {
      let mayBegin = false;
      await owners.change(keyOf(delivery.ownerId), (before) => {
        const entered = enterDelivery(before, delivery, limit);
        mayBegin = entered.mayBegin;
        return entered.after;
      });
      return mayBegin;
    },
    leave: async ({ ownerId, deliveryId }, limit) => {
      let left: ReturnType<typeof leaveDeliveries> | undefined;
      await owners.change(keyOf(ownerId), (before) => {
        left = leaveDeliveries(before, deliveryId, limit);
        return left.after;
      });
      return left?.next && { ownerId, jobId: left.next.jobId, deliveryId: left.next.deliveryId };
    },
  };
}
