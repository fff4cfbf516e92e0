import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { StoreReader } from '../edge/viewer-request.ts';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import { parseStoreRequest } from '../permissions/key-value-store-requests.ts';
import type { Emulator } from './emulator.ts';
import { startEndpoint } from './start-endpoint.ts';
import type { Traffic } from './traffic.ts';

/** The endpoint of CloudFront KeyValueStores, and what functions at the edge read of one. */
export type KeyValueStores = Emulator & { storeOf(arn: string): StoreReader };

type Store = { entries: Record<string, string>; version: number };

/** CloudFront Developer Guide, "Quotas on key value stores". */
const limits = { storeBytes: 5 * 1024 * 1024, keyBytes: 512, valueBytes: 1024, updatedKeys: 50, listedKeys: 50 };

const update = z.object({
  Puts: z.array(z.object({ Key: z.string(), Value: z.string() })).default([]),
  Deletes: z.array(z.object({ Key: z.string() })).default([]),
});

class StoreError extends Error {
  readonly status: number;

  constructor(status: number, name: string, message: string) {
    super(message);
    this.status = status;
    this.name = name;
  }
}

/** Starts an endpoint for the API of CloudFront KeyValueStore (REST, JSON). The stores are a file in `directory`. */
export async function startKeyValueStores(
  directory: string,
  traffic: Traffic,
  guard: PermissionGuard = permissionGuard(),
): Promise<KeyValueStores> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'stores.json');
  const stores = readStores(file);
  const of = (arn: string): Store => {
    stores[arn] ??= { entries: {}, version: 1 };
    return stores[arn];
  };
  const emulator = await startEndpoint({ service: 'kvs', traffic, guard }, async (request) => {
    const body = await text(request);
    try {
      const { arn } = parseStoreRequest(request);
      const store = of(arn);
      const before = store.version;
      const answered = handle(request, body, store);
      if (store.version !== before) writeFileSync(file, JSON.stringify(stores));
      return json(200, answered, { etag: String(store.version) });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return json(error.status, { Message: error.message }, { 'x-amzn-errortype': error.name });
    }
  });
  return {
    ...emulator,
    storeOf: (arn) => ({
      get: (name) => (Object.hasOwn(of(arn).entries, name) ? of(arn).entries[name] : undefined),
      size: () => Object.keys(of(arn).entries).length,
    }),
  };
}

function readStores(file: string): Record<string, Store> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return {};
  }
}

function json(status: number, body: object, headers: Record<string, string>) {
  return { status, contentType: 'application/json', body: JSON.stringify(body), headers };
}

function handle(request: IncomingMessage, body: string, store: Store): object {
  const { arn, operation, key, query } = parseStoreRequest(request);
  if (operation === 'DescribeKeyValueStore') return { ...sizeOf(store), KvsARN: arn, Status: 'READY', Created: 0 };
  if (operation === 'ListKeys') return listKeys(store, query);
  if (operation === 'GetKey') {
    const value = Object.hasOwn(store.entries, key) ? store.entries[key] : undefined;
    if (value === undefined) throw new StoreError(404, 'ResourceNotFoundException', `There is no key ${key}`);
    return { Key: key, Value: value, ...sizeOf(store) };
  }
  // An ETag that is not the store's (API Reference, "Common errors").
  if (request.headers['if-match'] !== String(store.version)) {
    throw new StoreError(409, 'ConflictException', 'The store has another version');
  }
  const change =
    operation === 'PutKey'
      ? { Puts: [{ Key: key, Value: z.object({ Value: z.string() }).parse(JSON.parse(body)).Value }], Deletes: [] }
      : operation === 'DeleteKey'
        ? { Puts: [], Deletes: [{ Key: key }] }
        : update.parse(JSON.parse(body));
  return writeKeys(store, change);
}

function writeKeys(store: Store, { Puts, Deletes }: z.output<typeof update>): object {
  if (Puts.length + Deletes.length > limits.updatedKeys) throw invalid('a request changes at most 50 keys');
  for (const { Key, Value } of Puts) {
    if (Buffer.byteLength(Key) > limits.keyBytes || Buffer.byteLength(Value) > limits.valueBytes) {
      throw invalid('a key has at most 512 bytes, a value 1 KB');
    }
  }
  const entries = { ...store.entries, ...Object.fromEntries(Puts.map(({ Key, Value }) => [Key, Value])) };
  for (const { Key } of Deletes) delete entries[Key];
  const changed = { entries, version: store.version + 1 };
  if (sizeOf(changed).TotalSizeInBytes > limits.storeBytes) {
    throw new StoreError(402, 'ServiceQuotaExceededException', 'a store has at most 5 MB');
  }
  Object.assign(store, changed);
  return sizeOf(store);
}

function listKeys({ entries }: Store, query: URLSearchParams): object {
  const from = Number(query.get('NextToken') ?? 0);
  const count = Math.min(Number(query.get('MaxResults') ?? 10), limits.listedKeys);
  const all = Object.entries(entries).map(([Key, Value]) => ({ Key, Value }));
  const next = from + count < all.length ? { NextToken: String(from + count) } : {};
  return { Items: all.slice(from, from + count), ...next };
}

function sizeOf({ entries }: Store) {
  const all = Object.entries(entries);
  const TotalSizeInBytes = all.reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  return { ItemCount: all.length, TotalSizeInBytes };
}

function invalid(message: string): StoreError {
  return new StoreError(400, 'ValidationException', message);
}
