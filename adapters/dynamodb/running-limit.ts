import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { partOfLimit } from '../../core/jobs/queues.ts';
import {
  entryName,
  homePart,
  maxRemembered,
  parseEntry,
  type RunningEntry,
  type RunningLimit,
  type RunningLimits,
  runningParts,
} from '../../core/jobs/running-limit.ts';
import { fromItem, type Item, openTable, toItem } from './table.ts';
import { runningPartition, runningSort } from './table-keys.ts';

/**
 * The limit of running jobs on DynamoDB, in parts. A job enters its home part; if that is full, any part with room. It waits
 * in its home part, and an entry that leaves that wakes a worker for it.
 *
 * @param maxRunningJobs the limit of each owner. With one part both limits are exact. With several parts, concurrent
 * claims can exceed `maxWorkers`
 */
export function runningLimit(client: DynamoDBClient, tableName: string, maxRunningJobs: number): RunningLimit {
  const table = limitPartTable(client, tableName);
  const parts = runningParts(maxRunningJobs);
  const numbers = [...Array(parts).keys()];
  const homeOf = (entry: RunningEntry) => homePart(entry, parts);
  const readAll = (ownerId: string): Promise<LimitPart[]> =>
    Promise.all(numbers.map((part) => table.read({ ownerId, part })));
  const enterIn = (entry: RunningEntry, part: number, { max, ...limits }: RunningLimits) =>
    table.enter(entry, part, { max: partOfLimit(max, part, parts), ...limits });

  /** Removes an entry from the part that has it. Returns that part as it was before; the home part if there is only one. */
  const remove = async (entry: RunningEntry, ...sets: ('entries' | 'workers')[]) => {
    const home = homeOf(entry);
    const before = await table.remove(entry, home, sets);
    if (parts === 1 || hasEntry(before, entry)) return [{ part: home, before }];
    const all = await readAll(entry.ownerId);
    const others = numbers.filter((part) => hasEntry(all[part], entry));
    return Promise.all(others.map(async (part) => ({ part, before: await table.remove(entry, part, sets) })));
  };

  return {
    enter: async (entry, limits) => {
      const { max, maxWorkers } = limits;
      const home = homeOf(entry);
      if (parts === 1) return enterIn(entry, home, limits);
      if (maxWorkers === undefined && (await enterIn(entry, home, { max }))) return true;
      const all = await readAll(entry.ownerId);
      if (all.some((each) => hasEntry(each, entry))) return true;
      if (maxWorkers !== undefined && sumOf(all, ({ workers }) => workers) >= maxWorkers) return false;
      const hasRoom = (part: number) => (all[part]?.entries.length ?? 0) < partOfLimit(max, part, parts);
      const nearest = numbers.map((step) => (home + step) % parts).filter(hasRoom);
      for (const part of nearest) if (await enterIn(entry, part, { max })) return true;
      return false;
    },
    releaseWorker: async (entry) => {
      await remove(entry, 'workers');
    },
    waitFor: async (entry, max) => {
      const home = homeOf(entry);
      const isRemembered = await table.remember(entry, home, partOfLimit(max, home, parts));
      if (isRemembered && parts === 1) return true;
      return sumOf(await readAll(entry.ownerId), ({ entries }) => entries.length) >= max;
    },
    leave: async (entry) => {
      const { ownerId } = entry;
      const removed = await remove(entry, 'entries', 'workers');
      let running = 0;
      for (const { part, before } of removed) {
        const free = partOfLimit(maxRunningJobs, part, parts) - before.entries.length;
        running = Math.max(running, maxRunningJobs - free);
        const jobId = before.waiting.toSorted()[0];
        if (jobId === undefined) continue;
        await table.forget(jobId, { ownerId, part });
        return { running, next: { ownerId, jobId } };
      }
      return { running, next: undefined };
    },
    list: async (entry) => (await table.read({ ownerId: entry.ownerId, part: homeOf(entry) })).entries,
    isFull: async (entry, max) => {
      const part = homeOf(entry);
      const { entries } = await table.read({ ownerId: entry.ownerId, part }, { mayBeStale: true });
      return entries.length >= partOfLimit(max, part, parts);
    },
    jobs: async (ownerId) => {
      const all = await readAll(ownerId);
      return [...new Set(all.flatMap(({ entries }) => entries.map(({ jobId }) => jobId)))];
    },
  };
}

function hasEntry(part: LimitPart | undefined, { jobId, attempt }: RunningEntry): boolean {
  return part?.entries.some((one) => one.jobId === jobId && one.attempt === attempt) ?? false;
}

function sumOf(parts: readonly LimitPart[], value: (part: LimitPart) => number): number {
  return parts.reduce((sum, part) => sum + value(part), 0);
}

const texts = z.set(z.string()).default(new Set());
const itemSchema = z.object({ entries: texts, workers: texts, waiting: texts });

/** A part of an owner's limit: its entries, how many of them have a worker, and the jobs that wait. */
type LimitPart = { entries: RunningEntry[]; workers: number; waiting: string[] };

type PartKey = { ownerId: string; part: number };

/** The parts of limits: an item each, with sets, so that repeated writes change nothing. */
export function limitPartTable(client: DynamoDBClient, tableName: string) {
  const table = openTable(client, tableName);
  const keyOf = ({ ownerId, part }: PartKey) => toItem({ pk: runningPartition(ownerId, part), sk: runningSort });

  return {
    /** Strongly consistent, unless it may be stale. */
    async read(key: PartKey, { mayBeStale = false } = {}): Promise<LimitPart> {
      return contentOf(key, await table.get(keyOf(key), { mayBeStale }));
    },

    /** Adds an entry, unless others have reached a limit of the part. */
    async enter(entry: RunningEntry, part: number, { max, maxWorkers }: RunningLimits): Promise<boolean> {
      const name = entryName(entry);
      const entered = await table.update(keyOf({ ...entry, part }), {
        UpdateExpression: 'ADD entries :entries, workers :entries DELETE waiting :waiting',
        ConditionExpression: [
          isBelow('entries', ':max'),
          ...(maxWorkers === undefined ? [] : [isBelow('workers', ':maxWorkers')]),
        ].join(' AND '),
        ExpressionAttributeValues: toItem({
          ':entries': new Set([name]),
          ':waiting': new Set([entry.jobId]),
          ':entry': name,
          ':max': max,
          ':maxWorkers': maxWorkers,
        }),
      });
      return entered !== undefined;
    },

    /** Remembers a waiting job. False if there are fewer than `max` entries, or enough jobs are remembered. */
    async remember(entry: RunningEntry, part: number, max: number): Promise<boolean> {
      const remembered = await table.update(keyOf({ ...entry, part }), {
        UpdateExpression: 'ADD waiting :waiting',
        ConditionExpression:
          'size(entries) >= :max AND (attribute_not_exists(waiting) OR size(waiting) < :maxRemembered)',
        ExpressionAttributeValues: toItem({
          ':waiting': new Set([entry.jobId]),
          ':max': max,
          ':maxRemembered': maxRemembered,
        }),
      });
      return remembered !== undefined;
    },

    async forget(jobId: string, key: PartKey): Promise<void> {
      await table.update(keyOf(key), {
        UpdateExpression: 'DELETE waiting :waiting',
        ExpressionAttributeValues: toItem({ ':waiting': new Set([jobId]) }),
      });
    },

    /** Removes an entry from these sets. Returns the part before. */
    async remove(entry: RunningEntry, part: number, sets: readonly ('entries' | 'workers')[]): Promise<LimitPart> {
      const key = { ...entry, part };
      const before = await table.update(keyOf(key), {
        UpdateExpression: `DELETE ${sets.map((set) => `${set} :entries`).join(', ')}`,
        ExpressionAttributeValues: toItem({ ':entries': new Set([entryName(entry)]) }),
        ReturnValues: 'ALL_OLD',
      });
      return contentOf(key, before);
    },
  };
}

/** Whether a set has room for an entry, or has it already. */
function isBelow(set: string, max: string): string {
  return `(attribute_not_exists(${set}) OR size(${set}) < ${max} OR contains(${set}, :entry))`;
}

function contentOf({ ownerId }: PartKey, item: Item | undefined): LimitPart {
  const { entries, workers, waiting } = itemSchema.parse(item === undefined ? {} : fromItem(item));
  const parsed = [...entries].map((text) => parseEntry(ownerId, text));
  return { entries: parsed, workers: workers.size, waiting: [...waiting] };
}
