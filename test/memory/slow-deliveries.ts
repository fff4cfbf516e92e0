import type { SlowDeliveries } from '../../core/webhooks/ports.ts';
import {
  beginSlowDelivery,
  endSlowDelivery,
  noSlowDeliveries,
  type RunningSlowDeliveries,
} from '../../core/webhooks/slow-deliveries.ts';

/** The deliveries to slow receivers in memory. */
export function memorySlowDeliveries(): SlowDeliveries {
  const owners = new Map<string, RunningSlowDeliveries>();
  const of = (ownerId: string) => owners.get(ownerId) ?? noSlowDeliveries;
  return {
    begin: async (delivery, limit) => {
      const after = beginSlowDelivery(of(delivery.ownerId), delivery, limit);
      if (after !== undefined) owners.set(delivery.ownerId, after);
      return after !== undefined;
    },
    end: async ({ ownerId, deliveryId }) => {
      const after = endSlowDelivery(of(ownerId), deliveryId);
      if (after !== undefined) owners.set(ownerId, after);
    },
  };
}
