import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Pacing, sendInBatches } from './batches.ts';
import type { Item } from './item.ts';

/** The most keys that one BatchGetItem takes (DynamoDB's API reference). */
const keysPerBatch = 100;

/**
 * Reads whole items strongly consistently, in the order of their keys (`pk` and `sk`); missing ones are left out.
 * @throws AppError UNAVAILABLE where the table cannot keep up
 */
export async function batchGet(
  client: DynamoDBClient,
  tableName: string,
  keys: readonly Item[],
  pacing?: Pacing,
): Promise<Item[]> {
  const found = new Map<string, Item>();
  await sendInBatches({
    requests: keys.map(({ pk, sk }) => ({ pk, sk }) as Item),
    maxPerCall: keysPerBatch,
    send: async (Keys) => {
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses?.[tableName] ?? []) found.set(identity(item), item);
      return UnprocessedKeys?.[tableName]?.Keys ?? [];
    },
    pacing,
  });
  return keys.map((key) => found.get(identity(key))).filter((item) => item !== undefined);
}

function identity({ pk, sk }: Item): string {
  return JSON.stringify([pk?.S, sk?.S]);
}
