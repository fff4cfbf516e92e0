import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { maxRemembered, type RunningSlots, type Slot } from '../../core/jobs/slots.ts';
import { fromItem, type Item, toItem } from './item.ts';
import { ownerPartition, runningSort } from './table-keys.ts';

/** The library reads a string set as a Set. */
const texts = z.set(z.string()).default(new Set());
const itemSchema = z.object({ slots: texts, waiting: texts });

/** The slots of running jobs on DynamoDB: one item per owner with a set, so that repeated writes change nothing. */
export function runningSlots(client: DynamoDBClient, tableName: string): RunningSlots {
  const keyOf = (ownerId: string) => toItem({ pk: ownerPartition(ownerId), sk: runningSort });

  const read = async (ownerId: string) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: keyOf(ownerId), ConsistentRead: true }),
    );
    return contentOf(ownerId, Item);
  };

  /** Updates an owner's item; false if the condition does not hold. */
  const holds = async (
    { ownerId }: Slot,
    update: { UpdateExpression: string; ConditionExpression: string },
    ExpressionAttributeValues: Item,
  ): Promise<boolean> => {
    const Key = keyOf(ownerId);
    try {
      await client.send(
        new UpdateItemCommand({ TableName: tableName, Key, ...update, ExpressionAttributeValues }),
      );
      return true;
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      return false;
    }
  };

  return {
    take: (slot, { max, maxWorkers }) =>
      holds(
        slot,
        {
          UpdateExpression: 'ADD slots :slots, workers :slots DELETE waiting :waiting',
          ConditionExpression: [
            isBelow('slots', ':max'),
            ...(maxWorkers === undefined ? [] : [isBelow('workers', ':maxWorkers')]),
          ].join(' AND '),
        },
        {
          ':slots': { SS: [textOf(slot)] },
          ':waiting': { SS: [slot.jobId] },
          ':slot': { S: textOf(slot) },
          ':max': { N: String(max) },
          ...(maxWorkers === undefined ? {} : { ':maxWorkers': { N: String(maxWorkers) } }),
        },
      ),
    releaseWorker: async (slot) => {
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyOf(slot.ownerId),
          UpdateExpression: 'DELETE workers :slots',
          ExpressionAttributeValues: { ':slots': { SS: [textOf(slot)] } },
        }),
      );
    },
    waitFor: async (slot, max) => {
      const remembered = await holds(
        slot,
        {
          UpdateExpression: 'ADD waiting :waiting',
          ConditionExpression:
            'size(slots) >= :max AND (attribute_not_exists(waiting) OR size(waiting) < :maxRemembered)',
        },
        {
          ':waiting': { SS: [slot.jobId] },
          ':max': { N: String(max) },
          ':maxRemembered': { N: String(maxRemembered) },
        },
      );
      return remembered || (await read(slot.ownerId)).slots.length >= max;
    },
    free: async (slot) => {
      const { Attributes } = await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyOf(slot.ownerId),
          UpdateExpression: 'DELETE slots :slots, workers :slots',
          ExpressionAttributeValues: { ':slots': { SS: [textOf(slot)] } },
          ReturnValues: 'ALL_OLD',
        }),
      );
      const { slots, waiting } = contentOf(slot.ownerId, Attributes);
      const jobId = waiting.toSorted()[0];
      if (jobId === undefined) return { taken: slots.length, next: undefined };
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyOf(slot.ownerId),
          UpdateExpression: 'DELETE waiting :waiting',
          ExpressionAttributeValues: { ':waiting': { SS: [jobId] } },
        }),
      );
      return { taken: slots.length, next: { ownerId: slot.ownerId, jobId } };
    },
    list: async (ownerId) => (await read(ownerId)).slots,
  };
}

/** Whether a set has room for a slot, or has it already. */
function isBelow(set: string, max: string): string {
  return `(attribute_not_exists(${set}) OR size(${set}) < ${max} OR contains(${set}, :slot))`;
}

function textOf({ jobId, attempt }: Slot): string {
  return `${jobId}#${attempt}`;
}

function contentOf(ownerId: string, item: Item | undefined): { slots: Slot[]; waiting: string[] } {
  if (item === undefined) return { slots: [], waiting: [] };
  const { slots, waiting } = itemSchema.parse(fromItem(item));
  const parsed = [...slots].map((text) => {
    const [jobId = '', attempt] = text.split('#');
    return { ownerId, jobId, attempt: Number(attempt) };
  });
  return { slots: parsed, waiting: [...waiting] };
}
