import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';

export type Item = Record<string, AttributeValue>;

export function toItem(fields: Record<string, unknown>): Item {
  // The library recognizes plain objects by `constructor`, which user data may contain as a field.
  return marshall(fields, { removeUndefinedValues: true, convertClassInstanceToMap: true });
}

/** Converts an item to a plain object, which the caller parses. A string set becomes a Set. */
export function fromItem(item: Item): Record<string, unknown> {
  return unmarshall(item);
}

/** What an update needs to set these fields. An undefined one stays as it is. */
export function setFields(fields: object) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    UpdateExpression: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: toItem(Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value]))),
  };
}

/** Reads an item, strongly consistent unless it may be stale. */
export async function getItem(
  client: DynamoDBClient,
  TableName: string,
  Key: Item,
  { mayBeStale = false } = {},
): Promise<Item | undefined> {
  return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: !mayBeStale }))).Item;
}

/** What must hold for a write; nothing without an expression. */
export type Condition = {
  ConditionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
};

export async function putItem(client: DynamoDBClient, TableName: string, Item: Item, condition: Condition = {}) {
  await client.send(new PutItemCommand({ TableName, Item, ...condition }));
}

/** Returns the attributes for which `ReturnValues` asks. */
export async function updateItem(
  client: DynamoDBClient,
  TableName: string,
  Key: Item,
  update: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>,
): Promise<Item | undefined> {
  return (await client.send(new UpdateItemCommand({ TableName, Key, ...update }))).Attributes;
}

export async function deleteItem(client: DynamoDBClient, TableName: string, Key: Item, condition: Condition = {}) {
  await client.send(new DeleteItemCommand({ TableName, Key, ...condition }));
}

/** Sends a conditional write. False if its condition does not hold. */
export async function writeIf(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (cause) {
    if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
    return false;
  }
}

/** Reads the items of a query, in its order, page by page until it has `limit` of them or all. */
export async function queryItems(
  client: DynamoDBClient,
  query: QueryCommandInput,
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  let startKey: Item | undefined;
  do {
    const rest = limit - items.length;
    const page = await client.send(
      new QueryCommand({
        ...query,
        Limit: Number.isFinite(rest) ? rest : undefined,
        ExclusiveStartKey: startKey,
      }),
    );
    items.push(...(page.Items ?? []));
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined && items.length < limit);
  return items;
}

/** A text to which Zstandard refers, and its number in the items of the table. */
export type JsonDictionary = { number: number; text: Buffer };

/** Higher levels take up to a hundred times as long for a few bytes less. */
const params = { [constants.ZSTD_c_compressionLevel]: 6 };

/** More than an item can hold, so that no item makes a function run out of memory. */
const maxOutputLength = 8_000_000;

/** Compresses a value as JSON: DynamoDB writes a unit for each begun kilobyte. */
export function compressJson(value: unknown, { text }: JsonDictionary): Buffer<ArrayBuffer> {
  return zstdCompressSync(JSON.stringify(value), { params, dictionary: text });
}

/**
 * Decompresses a value.
 * @param number the number of the dictionary that it was compressed with
 * @throws Error unless that is the known one
 */
export function decompressJson(
  compressed: Uint8Array,
  { number, known }: { number: number | undefined; known: JsonDictionary },
): unknown {
  if (number !== known.number) {
    throw new Error(`Another version wrote this item (dictionary ${number}): deploy that version`);
  }
  return JSON.parse(zstdDecompressSync(compressed, { dictionary: known.text, maxOutputLength }).toString());
}
