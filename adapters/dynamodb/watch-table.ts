import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { timestampSchema } from '../../core/timestamp.ts';
import type { ObjectRecord, WatchState, WatchTable } from '../../core/watches/ports.ts';
import { deleteItems } from './batches.ts';
import { fromItem, getItem, type Item, putItem, setFields, toItem, updateItem, writeIf } from './item.ts';
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

/** The states and records of watches on DynamoDB. */
export function watchTable(client: DynamoDBClient, tableName: string): WatchTable {
  const keyOf = (name: string, sk: string): Item => toItem({ pk: watchPartition(name), sk });
  const read = (name: string, sk: string) => getItem(client, tableName, keyOf(name, sk));
  const update = async (key: Item, fields: object, condition: { ConditionExpression?: string } = {}) => {
    await updateItem(client, tableName, key, { ...setFields(fields), ...condition });
  };
  return {
    state: async (name): Promise<WatchState> => stateSchema.parse(fromItem((await read(name, watchStateSort)) ?? {})),
    setPaused: (name, isPaused) => update(keyOf(name, watchStateSort), { isPaused }),
    recordSweep: (name, fields) => update(keyOf(name, watchStateSort), fields),
    add: (name, { hash, jobId, createdAt, again }) =>
      writeIf(() =>
        putItem(
          client,
          tableName,
          { ...keyOf(name, watchedObjectPrefix + hash), ...toItem({ jobId, createdAt, again }) },
          again === undefined
            ? { ConditionExpression: 'attribute_not_exists(pk)' }
            : {
                ConditionExpression: 'attribute_not_exists(again) OR again <> :again',
                ExpressionAttributeValues: toItem({ ':again': again }),
              },
        ),
      ),
    get: async (name, hash) => {
      const item = await read(name, watchedObjectPrefix + hash);
      return item && toRecord(item);
    },
    finish: async (name, hash, refused) => {
      const condition = { ConditionExpression: 'attribute_exists(pk)' };
      await writeIf(() => update(keyOf(name, watchedObjectPrefix + hash), { isDone: true, refused }, condition));
    },
    async *list(name) {
      let startKey: Item | undefined;
      do {
        const page: { Items?: Item[] | undefined; LastEvaluatedKey?: Item | undefined } = await client.send(
          new QueryCommand({
            TableName: tableName,
            KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
            ExpressionAttributeValues: toItem({ ':pk': watchPartition(name), ':prefix': watchedObjectPrefix }),
            ExclusiveStartKey: startKey,
          }),
        );
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

function toRecord(item: Item): ObjectRecord {
  const { sk, ...record } = recordSchema.parse(fromItem(item));
  return { ...record, hash: sk.slice(watchedObjectPrefix.length) };
}
