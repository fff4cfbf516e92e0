import { isDeepStrictEqual } from 'node:util';
import { guardHolds } from '../../../core/jobs/guard.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import type { DeliveryFields, EndpointDeliveries, EndpointRef } from '../../../core/webhooks/endpoint-delivery.ts';

/** The deliveries of jobs to endpoints in memory. */
export function memoryEndpointDeliveries(): EndpointDeliveries {
  const stored = new Map<string, DeliveryFields>();
  const keyOf = ({ ownerId, jobId, endpointId }: EndpointRef) => `${ownerId}/${jobId}/${endpointId}`;
  return {
    get: async (ref) => stored.get(keyOf(ref)),
    async write(ref, delivery, guard) {
      const before = stored.get(keyOf(ref));
      if (!guardHolds(guard, before as JobRecord | undefined)) return isDeepStrictEqual(before, delivery);
      stored.set(keyOf(ref), delivery);
      return true;
    },
    remove: async (ref) => void stored.delete(keyOf(ref)),
  };
}
