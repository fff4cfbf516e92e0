import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { partOfLimit } from '../../core/jobs/shares.ts';
import {
  formatSlot,
  homeGroup,
  maxRemembered,
  parseSlot,
  type RunningSlots,
  type Slot,
  type SlotLimits,
  slotGroups,
} from '../../core/jobs/slots.ts';
import { fromItem, getItem, type Item, toItem, updateItem, writeIf } from './item.ts';
import { slotsPartition, slotsSort } from './table-keys.ts';

/**
 * The slots of running jobs on DynamoDB. A job takes its slot in its home group; if that is full, in any group with room.
 * It waits in its home group, and a slot that is freed there wakes a worker for it.
 *
 * @param maxRunningJobs the limit of each owner. With one group both limits are exact. With several groups, concurrent
 * claims can exceed `maxWorkers`
 */
export function runningSlots(client: DynamoDBClient, tableName: string, maxRunningJobs: number): RunningSlots {
  const table = slotGroupTable(client, tableName);
  const groups = slotGroups(maxRunningJobs);
  const numbers = [...Array(groups).keys()];
  const homeOf = (slot: Slot) => homeGroup(slot, groups);
  const readAll = (ownerId: string): Promise<SlotGroup[]> =>
    Promise.all(numbers.map((group) => table.read({ ownerId, group })));
  const takeIn = (slot: Slot, group: number, { max, ...limits }: SlotLimits) =>
    table.take(slot, group, { max: partOfLimit(max, group, groups), ...limits });

  /** Removes a slot from the group that has it. Returns that group as it was before; the home group if there is only one. */
  const remove = async (slot: Slot, ...sets: ('slots' | 'workers')[]) => {
    const home = homeOf(slot);
    const before = await table.remove(slot, home, sets);
    if (groups === 1 || hasSlot(before, slot)) return [{ group: home, before }];
    const all = await readAll(slot.ownerId);
    const others = numbers.filter((group) => hasSlot(all[group], slot));
    return Promise.all(others.map(async (group) => ({ group, before: await table.remove(slot, group, sets) })));
  };

  return {
    take: async (slot, limits) => {
      const { max, maxWorkers } = limits;
      const home = homeOf(slot);
      if (groups === 1) return takeIn(slot, home, limits);
      if (maxWorkers === undefined && (await takeIn(slot, home, { max }))) return true;
      const all = await readAll(slot.ownerId);
      if (all.some((each) => hasSlot(each, slot))) return true;
      if (maxWorkers !== undefined && sumOf(all, ({ workers }) => workers) >= maxWorkers) return false;
      const hasRoom = (group: number) => (all[group]?.slots.length ?? 0) < partOfLimit(max, group, groups);
      const nearest = numbers.map((step) => (home + step) % groups).filter(hasRoom);
      for (const group of nearest) if (await takeIn(slot, group, { max })) return true;
      return false;
    },
    releaseWorker: async (slot) => {
      await remove(slot, 'workers');
    },
    waitFor: async (slot, max) => {
      const home = homeOf(slot);
      const isRemembered = await table.remember(slot, home, partOfLimit(max, home, groups));
      if (isRemembered && groups === 1) return true;
      return sumOf(await readAll(slot.ownerId), ({ slots }) => slots.length) >= max;
    },
    free: async (slot) => {
      const { ownerId } = slot;
      const removed = await remove(slot, 'slots', 'workers');
      let taken = 0;
      for (const { group, before } of removed) {
        const free = partOfLimit(maxRunningJobs, group, groups) - before.slots.length;
        taken = Math.max(taken, maxRunningJobs - free);
        const jobId = before.waiting.toSorted()[0];
        if (jobId === undefined) continue;
        await table.forget(jobId, { ownerId, group });
        return { taken, next: { ownerId, jobId } };
      }
      return { taken, next: undefined };
    },
    list: async (slot) => (await table.read({ ownerId: slot.ownerId, group: homeOf(slot) })).slots,
    isFull: async (slot, max) => {
      const group = homeOf(slot);
      const { slots } = await table.read({ ownerId: slot.ownerId, group }, { mayBeStale: true });
      return slots.length >= partOfLimit(max, group, groups);
    },
    jobs: async (ownerId) => {
      const all = await readAll(ownerId);
      return [...new Set(all.flatMap(({ slots }) => slots.map(({ jobId }) => jobId)))];
    },
  };
}

function hasSlot(group: SlotGroup | undefined, { jobId, attempt }: Slot): boolean {
  return group?.slots.some((one) => one.jobId === jobId && one.attempt === attempt) ?? false;
}

function sumOf(groups: readonly SlotGroup[], value: (group: SlotGroup) => number): number {
  return groups.reduce((sum, group) => sum + value(group), 0);
}

const texts = z.set(z.string()).default(new Set());
const itemSchema = z.object({ slots: texts, workers: texts, waiting: texts });

/** A group of an owner's slots: those that are taken, those of them with a worker, and the jobs that wait for one. */
type SlotGroup = { slots: Slot[]; workers: number; waiting: string[] };

type GroupKey = { ownerId: string; group: number };

/** Groups of slots on DynamoDB: an item each, with sets, so that repeated writes change nothing. */
export function slotGroupTable(client: DynamoDBClient, tableName: string) {
  const keyOf = ({ ownerId, group }: GroupKey) => toItem({ pk: slotsPartition(ownerId, group), sk: slotsSort });

  const update = async (key: GroupKey, input: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>) =>
    contentOf(key, await updateItem(client, tableName, keyOf(key), input));

  const updateIf = (...updated: Parameters<typeof update>) => writeIf(() => update(...updated));

  return {
    /** Strongly consistent, unless it may be stale. */
    async read(key: GroupKey, options: { mayBeStale?: boolean } = {}): Promise<SlotGroup> {
      return contentOf(key, await getItem(client, tableName, keyOf(key), options));
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
