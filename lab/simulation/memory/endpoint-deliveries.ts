import { isDeepStrictEqual } from 'node:util';
import type { JobRecord } from '../../../core/jobs/record.ts';
import type { DeliveryFields, EndpointDeliveries, EndpointRef } from '../../../core/webhooks/delivery.ts';
import { guardHolds } from './guard-holds.ts';
import { type MemoryJobTable, memoryJobTable } from './job-table.ts';

type Written = { before: DeliveryFields | undefined; after: DeliveryFields };

type Options = {
  /** Has the index of due work. */
  jobs?: Pick<MemoryJobTable, 'setDue'>;
  onWritten?: (ref: EndpointRef, written: Written) => void;
};

/** The deliveries of jobs to endpoints in memory. */
export function memoryEndpointDeliveries({ jobs = memoryJobTable(), onWritten }: Options = {}): EndpointDeliveries {
  const stored = new Map<string, DeliveryFields>();
  const keyOf = ({ ownerId, jobId, endpointId }: EndpointRef) => `${ownerId}/${jobId}/${endpointId}`;
  return {
    get: async (ref) => stored.get(keyOf(ref)),
    async write(ref, delivery, guard) {
      const before = stored.get(keyOf(ref));
      if (!guardHolds(guard, before as JobRecord | undefined)) return isDeepStrictEqual(before, delivery);
      stored.set(keyOf(ref), delivery);
      onWritten?.(ref, { before, after: delivery });
      const { ownerId, jobId, endpointId } = ref;
      const { dueAt } = delivery;
      jobs.setDue(
        keyOf(ref),
        dueAt === undefined ? undefined : { ownerId, jobId, endpointId, dueAt, kind: 'delivery' },
      );
      return true;
    },
    async remove(ref) {
      stored.delete(keyOf(ref));
      jobs.setDue(keyOf(ref), undefined);
    },
  };
}
