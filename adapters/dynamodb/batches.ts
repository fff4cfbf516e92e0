import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { AppError } from '../../core/errors.ts';
import type { RemovalOptions, RemovalResult } from '../../core/jobs/ports.ts';
import { type Pacing, systemPacing } from '../system/clock.ts';
import { type Item, openTable, prefixQuery } from './table.ts';

/** Limits of one BatchGetItem and one BatchWriteItem (Amazon DynamoDB API Reference). */
const maxKeysPerGet = 100;
const maxRequestsPerWrite = 25;

const minPauseMs = 50;
const maxPauseMs = 2_000;
/** At most 5 s of pauses, which fits into the time limit of every function. */
const maxAttempts = 8;

/**
 * Reads whole items by their keys (`pk` and `sk`), strongly consistent, in the order of the keys. Omits missing items.
 * @throws AppError UNAVAILABLE if the table stays throttled
 */
export async function batchGet(
  client: DynamoDBClient,
  tableName: string,
  keys: readonly Item[],
  pacing?: Pacing,
): Promise<Item[]> {
  const found = new Map<string, Item>();
  await sendInBatches({
    requests: keys.map(primaryKey),
    maxPerCall: maxKeysPerGet,
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

/**
 * Deletes items by their keys (`pk` and `sk`), whether or not they exist.
 * @throws AppError UNAVAILABLE if the table stays throttled
 */
export function deleteItems(
  client: DynamoDBClient,
  tableName: string,
  items: readonly Item[],
  pacing?: Pacing,
): Promise<void> {
  const requests = items.map((item): WriteRequest => ({ DeleteRequest: { Key: primaryKey(item) } }));
  return writeItems(client, tableName, requests, pacing);
}

/** Bounds the memory of a removal, and the time until `mayContinue` is called again. */
const maxKeysPerPage = 250;

/** Deletes the items of a prefix page by page. Only keys are read, since an item has up to 400 KB. */
export async function deletePrefix(
  client: DynamoDBClient,
  tableName: string,
  { partition, prefix = '' }: { partition: string; prefix?: string },
  { mayContinue = () => true }: RemovalOptions = {},
): Promise<RemovalResult> {
  const keys = { ...prefixQuery(partition, prefix), ProjectionExpression: 'pk, sk', Limit: maxKeysPerPage };
  let startKey: Item | undefined;
  do {
    const page = await openTable(client, tableName).page({ ...keys, ExclusiveStartKey: startKey });
    await deleteItems(client, tableName, page.Items ?? []);
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined && mayContinue());
  return startKey === undefined ? 'complete' : 'incomplete';
}

/**
 * Puts items over those of the same keys.
 * @throws AppError UNAVAILABLE if the table stays throttled
 */
export function putItems(client: DynamoDBClient, tableName: string, items: readonly Item[]): Promise<void> {
  return writeItems(
    client,
    tableName,
    items.map((Item): WriteRequest => ({ PutRequest: { Item } })),
  );
}

function writeItems(
  client: DynamoDBClient,
  tableName: string,
  requests: readonly WriteRequest[],
  pacing?: Pacing,
): Promise<void> {
  return sendInBatches({
    requests,
    maxPerCall: maxRequestsPerWrite,
    send: async (writes) => {
      const { UnprocessedItems } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [tableName]: writes } }),
      );
      return UnprocessedItems?.[tableName] ?? [];
    },
    pacing,
  });
}

type Batches<Request> = {
  requests: readonly Request[];
  maxPerCall: number;
  /** Sends one call and returns its unprocessed requests. */
  send: (batch: Request[]) => Promise<Request[]>;
  pacing?: Pacing | undefined;
};

/**
 * Sends requests in as few calls as possible. DynamoDB returns requests unprocessed when it throttles: they are sent
 * again after exponential backoff with full jitter.
 * @throws AppError UNAVAILABLE after eight throttled calls in a row
 */
async function sendInBatches<Request>(batches: Batches<Request>): Promise<void> {
  const { requests, maxPerCall, send, pacing = systemPacing } = batches;
  let pending = [...requests];
  let attempts = 0;
  while (pending.length > 0) {
    const unprocessed = await send(pending.slice(0, maxPerCall));
    pending = [...unprocessed, ...pending.slice(maxPerCall)];
    attempts = unprocessed.length === 0 ? 0 : attempts + 1;
    if (attempts === 0) continue;
    if (attempts === maxAttempts) throw new AppError('UNAVAILABLE', 'The table is busy; try again shortly.');
    await pacing.sleep(pacing.random() * Math.min(maxPauseMs, minPauseMs * 2 ** (attempts - 1)));
  }
}

function primaryKey({ pk, sk }: Item): Item {
  if (pk === undefined || sk === undefined) throw new Error('Expected an item with pk and sk');
  return { pk, sk };
}

function identity({ pk, sk }: Item): string {
  return JSON.stringify([pk?.S, sk?.S]);
}
