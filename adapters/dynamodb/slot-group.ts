import {
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { formatSlot, maxRemembered, parseSlot, type Slot, type SlotLimits } from '../../core/jobs/slots.ts';
import { fromItem, type Item, toItem, writeIf } from './item.ts';
import { slotsPartition, slotsSort } from './table-keys.ts';

const texts = z.set(z.string()).default(new Set());
const itemSchema = z.object({ slots: texts, workers: texts, waiting: texts });

/** A group of an owner's slots: those that are taken, those of them with a worker, and the jobs that wait for one. */
export type SlotGroup = { slots: Slot[]; workers: number; waiting: string[] };

type GroupKey = { ownerId: string; group: number };

/** Groups of slots on DynamoDB: an item each, with sets, so that repeated writes change nothing. */
export function slotGroupTable(client: DynamoDBClient, tableName: string) {
  const keyOf = ({ ownerId, group }: GroupKey) => toItem({ pk: slotsPartition(ownerId, group), sk: slotsSort });

  const update = async (key: GroupKey, input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) => {
    const { Attributes } = await client.send(
      new UpdateItemCommand({ TableName: tableName, Key: keyOf(key), ...input }),
    );
    return contentOf(key, Attributes);
  };

  const updateIf = (...updated: Parameters<typeof update>) => writeIf(() => update(...updated));

  return {
    /** Strongly consistent, unless it may be stale. */
    async read(key: GroupKey, { mayBeStale = false } = {}): Promise<SlotGroup> {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key: keyOf(key), ConsistentRead: !mayBeStale }),
      );
      return contentOf(key, Item);
    },

    /** Adds a slot unless a limit of the group is reached by others. */
    take(slot: Slot, group: number, { max, maxWorkers }: SlotLimits): Promise<boolean> {
      return updateIf(
        { ...slot, group },
        {
          UpdateExpression: 'ADD slots :slots, workers :slots DELETE waiting :waiting',
          ConditionExpression: [
            isBelow('slots', ':max'),
            ...(maxWorkers === undefined ? [] : [isBelow('workers', ':maxWorkers')]),
          ].join(' AND '),
          ExpressionAttributeValues: {
            ':slots': { SS: [formatSlot(slot)] },
            ':waiting': { SS: [slot.jobId] },
            ':slot': { S: formatSlot(slot) },
            ':max': { N: String(max) },
            ...(maxWorkers === undefined ? {} : { ':maxWorkers': { N: String(maxWorkers) } }),
          },
        },
      );
    },

    /** Remembers a waiting job. False if fewer than `max` slots are taken, or enough jobs are remembered. */
    remember(slot: Slot, group: number, max: number): Promise<boolean> {
      return updateIf(
        { ...slot, group },
        {
          UpdateExpression: 'ADD waiting :waiting',
          ConditionExpression:
            'size(slots) >= :max AND (attribute_not_exists(waiting) OR size(waiting) < :maxRemembered)',
          ExpressionAttributeValues: {
            ':waiting': { SS: [slot.jobId] },
            ':max': { N: String(max) },
            ':maxRemembered': { N: String(maxRemembered) },
          },
        },
      );
    },

    async forget(jobId: string, key: GroupKey): Promise<void> {
      await update(key, {
        UpdateExpression: 'DELETE waiting :waiting',
        ExpressionAttributeValues: { ':waiting': { SS: [jobId] } },
      });
    },

    /** Removes a slot from these sets. Returns the group before. */
    remove(slot: Slot, group: number, sets: readonly ('slots' | 'workers')[]): Promise<SlotGroup> {
      return update(
        { ...slot, group },
        {
          UpdateExpression: `DELETE ${sets.map((set) => `${set} :slots`).join(', ')}`,
          ExpressionAttributeValues: { ':slots': { SS: [formatSlot(slot)] } },
          ReturnValues: 'ALL_OLD',
        },
      );
    },
  };
}

/** Whether a set has room for a slot, or has it already. */
function isBelow(set: string, max: string): string {
  return `(attribute_not_exists(${set}) OR size(${set}) < ${max} OR contains(${set}, :slot))`;
}

function contentOf({ ownerId }: GroupKey, item: Item | undefined): SlotGroup {
  const { slots, workers, waiting } = itemSchema.parse(item === undefined ? {} : fromItem(item));
  const parsed = [...slots].map((text) => parseSlot(ownerId, text));
  return { slots: parsed, workers: workers.size, waiting: [...waiting] };
}
