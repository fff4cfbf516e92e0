import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SlowDeliveries } from '../../core/webhooks/ports.ts';
import {
  beginSlowDelivery,
  endSlowDelivery,
  noSlowDeliveries,
  runningSlowDeliveriesSchema,
} from '../../core/webhooks/slow-deliveries.ts';
import { toItem } from './item.ts';
import { ownerPartition, slowDeliveriesSort } from './table-keys.ts';
import { versionedItem } from './versioned-item.ts';

/** The deliveries to slow receivers on DynamoDB: one item per owner. */
export function slowDeliveries(client: DynamoDBClient, tableName: string): SlowDeliveries {
  const keyOf = (ownerId: string) => toItem({ pk: ownerPartition(ownerId), sk: slowDeliveriesSort });
  const running = versionedItem(client, tableName, (attributes) =>
    attributes === undefined ? noSlowDeliveries : runningSlowDeliveriesSchema.parse(attributes),
  );
  return {
    begin: async (delivery, limit) => {
      let hasBegun = false;
      await running.change(keyOf(delivery.ownerId), (before) => {
        const after = beginSlowDelivery(before, delivery, limit);
        hasBegun = after !== undefined;
        return after;
      });
      return hasBegun;
    },
    end: ({ ownerId, deliveryId }) =>
      running.change(keyOf(ownerId), (before) => endSlowDelivery(before, deliveryId)),
  };
}
