import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { timestampSchema } from '../../core/timestamp.ts';
import type { ObjectRecord, WatchState, WatchTable } from '../../core/watches/watch.ts';
import { deleteItems } from './batches.ts';
import { type Condition, fromItem, type Item, isNew, openTable, prefixQuery, toItem } from './table.ts';
import { watchedObjectPrefix, watchPartition, watchStateSort } from './table-keys.ts';

const stateSchema = z.object({
  isPaused: z.boolean().default(false),
  source: z.string().optional(),
  since: timestampSchema.optional(),
  lastSweepAt: timestampSchema.optional(),
  nextSweepAt: timestampSchema.optional(),
  objects: z.int().default(0),
  jobs: z.int().default(0),
  lagSeconds: z.number().default(0),
});

const recordSchema = z.object({
  sk: z.string(),
  jobId: z.string(),
  createdAt: timestampSchema,
  isDone: z.boolean().default(false),
  refused: z.string().optional(),
  again: z.string().optional(),
});

export function watchTable(client: DynamoDBClient, tableName: string): WatchTable {
  const table = openTable(client, tableName);
  const keyOf = (name: string, sk: string): Item => toItem({ pk: watchPartition(name), sk });
  return {
    state: async (name): Promise<WatchState> =>
      stateSchema.parse(fromItem((await table.get(keyOf(name, watchStateSort))) ?? {})),
    setPaused: async (name, isPaused) => void (await table.set(keyOf(name, watchStateSort), { isPaused })),
    recordSweep: async (name, fields) => void (await table.set(keyOf(name, watchStateSort), fields)),
    add: (name, { hash, jobId, createdAt, again }) =>
      table.put(
        { ...keyOf(name, watchedObjectPrefix + hash), ...toItem({ jobId, createdAt, again }) },
        again === undefined ? isNew : isOtherThan(again),
      ),
    get: async (name, hash) => {
      const item = await table.get(keyOf(name, watchedObjectPrefix + hash));
      return item && toRecord(item);
    },
    finish: async (name, hash, refused) => {
      const condition = { ConditionExpression: 'attribute_exists(pk)' };
      await table.set(keyOf(name, watchedObjectPrefix + hash), { isDone: true, refused }, condition);
    },
    async *list(name) {
      const records = { ...prefixQuery(watchPartition(name), watchedObjectPrefix), ConsistentRead: false };
      let startKey: Item | undefined;
      do {
        const page = await table.page({ ...records, ExclusiveStartKey: startKey });
        yield (page.Items ?? []).map(toRecord);
        startKey = page.LastEvaluatedKey;
      } while (startKey !== undefined);
    },
    remove: (name, hashes) =>
      deleteItems(
        client,
        tableName,
        hashes.map((hash) => keyOf(name, watchedObjectPrefix + hash)),
      ),
  };
}

function isOtherThan(again: string): Condition {
  return {
    ConditionExpression: 'attribute_not_exists(again) OR again <> :again',
    ExpressionAttributeValues: toItem({ ':again': again }),
  };
}

function toRecord(item: Item): ObjectRecord {
  const { sk, ...record } = recordSchema.parse(fromItem(item));
  return { ...record, hash: sk.slice(watchedObjectPrefix.length) };
}
