import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from './item.ts';

/** The most keys that one BatchGetItem takes (DynamoDB's API reference). */
const keysPerBatch = 100;

/** Reads whole items strongly consistently, in the order of their keys (`pk` and `sk`); missing ones are left out. */
export async function batchGet(client: DynamoDBClient, tableName: string, keys: Item[]): Promise<Item[]> {
  const found = new Map<string, Item>();
  let wanted = keys.map(({ pk, sk }) => ({ pk, sk }) as Item);
  while (wanted.length > 0) {
    const batch = wanted.slice(0, keysPerBatch);
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: batch, ConsistentRead: true } } }),
    );
    for (const item of Responses?.[tableName] ?? []) found.set(identity(item), item);
    wanted = [...(UnprocessedKeys?.[tableName]?.Keys ?? []), ...wanted.slice(keysPerBatch)];
  }
  return keys.map((key) => found.get(identity(key))).filter((item) => item !== undefined);
}

function identity({ pk, sk }: Item): string {
  return JSON.stringify([pk?.S, sk?.S]);
}
