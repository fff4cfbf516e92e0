import {
  enterDelivery,
  leaveDeliveries,
  markOrigin,
  noSlowDeliveries,
  type OwnerSlowDeliveries,
  type SlowDeliveries,
} from '../../../core/webhooks/slow-deliveries.ts';

/** Deliveries to slow receivers in memory. */
export function memorySlowDeliveries(): SlowDeliveries {
  const owners = new Map<string, OwnerSlowDeliveries>();
  const of = (ownerId: string) => owners.get(ownerId) ?? noSlowDeliveries;
  const put = (ownerId: string, after: OwnerSlowDeliveries | undefined) => {
    if (after !== undefined) owners.set(ownerId, after);
  };
  return {
    mark: async ({ ownerId, origin }, times) => put(ownerId, markOrigin(of(ownerId), origin, times)),
    enter: async (delivery, limit) => {
      const { mayBegin, after } = enterDelivery(of(delivery.ownerId), delivery, limit);
      put(delivery.ownerId, after);
      return mayBegin;
    },
    leave: async ({ ownerId, deliveryId }, limit) => {
      const { next, after } = leaveDeliveries(of(ownerId), deliveryId, limit);
      put(ownerId, after);
      return next && { ownerId, jobId: next.jobId, deliveryId: next.deliveryId };
    },
  };
}
