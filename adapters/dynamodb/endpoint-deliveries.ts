import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dueShard } from '../../core/jobs/durations.ts';
import { deliveryFieldsSchema } from '../../core/jobs/record.ts';
import type { EndpointDeliveries, EndpointRef } from '../../core/webhooks/endpoint-delivery.ts';
import { guardCondition } from './job-item.ts';
import { fromItem, openTable, toItem } from './table.ts';
import { duePartition, endpointSort, jobPartition } from './table-keys.ts';

/** As long as the journal keeps attempts. */
const keptSeconds = 30 * 86_400;

export function endpointDeliveries(client: DynamoDBClient, tableName: string): EndpointDeliveries {
  const table = openTable(client, tableName);
  const keyOf = (ref: EndpointRef) => toItem({ pk: jobPartition(ref), sk: endpointSort(ref.endpointId) });
  const get: EndpointDeliveries['get'] = async (ref) => {
    const item = await table.get(keyOf(ref));
    return item && deliveryFieldsSchema.parse(fromItem(item));
  };
  return {
    get,
    async write(ref, delivery, guard) {
      const { dueAt } = delivery;
      const due = dueAt === undefined ? {} : { duePartition: duePartition('delivery', dueShard(ref.jobId)) };
      const expiresAt = Math.ceil(Date.parse(dueAt ?? new Date().toISOString()) / 1000) + keptSeconds;
      const item = { ...toItem({ ...delivery, ...due, expiresAt }), ...keyOf(ref) };
      if (await table.put(item, guardCondition(guard))) return true;
      return isDeepStrictEqual(await get(ref), deliveryFieldsSchema.parse(fromItem(item)));
    },
    remove: async (ref) => void (await table.remove(keyOf(ref))),
  };
}
