import { isDeepStrictEqual } from 'node:util';
import { DeleteItemCommand, type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dueShard } from '../../core/jobs/durations.ts';
import { deliveryFieldsSchema } from '../../core/jobs/record.ts';
import type { EndpointDeliveries, EndpointRef } from '../../core/webhooks/endpoint-delivery.ts';
import { guardCondition } from './guard-condition.ts';
import { fromItem, toItem, writeIf } from './item.ts';
import { duePartition, endpointSort, jobPartition } from './table-keys.ts';

/** As long as the journal keeps attempts. */
const keptSeconds = 30 * 86_400;

export function endpointDeliveries(client: DynamoDBClient, TableName: string): EndpointDeliveries {
  const keyOf = (ref: EndpointRef) => toItem({ pk: jobPartition(ref), sk: endpointSort(ref.endpointId) });
  const get: EndpointDeliveries['get'] = async (ref) => {
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: keyOf(ref), ConsistentRead: true }));
    return Item && deliveryFieldsSchema.parse(fromItem(Item));
  };
  return {
    get,
    async write(ref, delivery, guard) {
      const { dueAt } = delivery;
      const due = dueAt === undefined ? {} : { duePartition: duePartition('delivery', dueShard(ref.jobId)) };
      const expiresAt = Math.ceil(Date.parse(dueAt ?? new Date().toISOString()) / 1000) + keptSeconds;
      const Item = { ...toItem({ ...delivery, ...due, expiresAt }), ...keyOf(ref) };
      const put = new PutItemCommand({ TableName, Item, ...guardCondition(guard) });
      if (await writeIf(() => client.send(put))) return true;
      return isDeepStrictEqual(await get(ref), deliveryFieldsSchema.parse(fromItem(Item)));
    },
    remove: async (ref) => void (await client.send(new DeleteItemCommand({ TableName, Key: keyOf(ref) }))),
  };
}
