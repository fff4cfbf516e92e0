import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { afterEach, expect, it } from 'vitest';
import { storageProviderTable } from '../../../adapters/dynamodb/storage-provider-table.ts';
import type { StorageProviderRequest } from '../../../core/api/storage-provider.ts';
import { maxStorageProviders, type StorageProviderTable } from '../../../core/storage/provider.ts';
import {
  createStorageProvider,
  updateStorageProvider,
  type WriteProviderDeps,
} from '../../../functions/storage/storage-providers.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { later } from '../../builders/jobs/jobs.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';
import { aRouteRequest } from '../../builders/webhook-routes.ts';

const table = await aDynaliteTable();
afterEach(() => storageProviderTable(table.client, table.tableName).remove(aStorageProvider()));

const location = { kind: 's3-compatible', bucket: 'videos', endpoint: 'https://s3.example' } as const;

const stored = { type: 'keys', accessKeyId: 'A', encryptedSecret: 'old' } as const;

/** Updates the provider `sp_1`; a secret is stored as it is. */
function update(
  providers: StorageProviderTable,
  name: string,
  { secretAccessKey, ...changed }: Partial<StorageProviderRequest> & { secretAccessKey?: string } = {},
) {
  const access = { type: 'keys', accessKeyId: 'A'.repeat(20), secretAccessKey } as const;
  const body: StorageProviderRequest = { ...location, name, access, ...changed };
  return updateStorageProvider(depsWith(providers))(aRouteRequest({ params: { id: 'sp_1' }, body }));
}

const depsWith = (providers: StorageProviderTable): WriteProviderDeps => ({
  providers,
  cipher: { encrypt: async (secret) => secret },
  clock: aVirtualClock(later(1_000)),
  endpointRules: { schemes: ['https'], reachable: [] },
  stage: 'test',
  trustedStage: { accountId: '444455556666', partition: 'aws', namePrefix: 'media-jobs-test' },
});

it('a replayed creation answers the stored provider, also at the limit of providers', async () => {
  const providers = storageProviderTable(table.client, table.tableName);
  let ids = 0;
  const deps = { ...depsWith(providers), reservations: memoryReservations(), newId: () => `${++ids}` };
  const access = { type: 'keys', accessKeyId: 'A'.repeat(20), secretAccessKey: 'b'.repeat(40) } as const;
  const post = (key: string) =>
    callRoute(createStorageProvider(deps), {
      ownerId: 'owner-of-many',
      headers: { 'idempotency-key': key },
      body: { ...location, name: 'Videos', access },
    });
  const first = await post('once');
  for (let n = 1; n < maxStorageProviders; n++) await post(`other ${n}`);
  expect(await post('once')).toEqual({ ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } });
  await expect(post('another')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

it('an update without a secret keeps the one that another update stores meanwhile', async () => {
  const providers = storageProviderTable(table.client, table.tableName);
  const before = aStorageProvider({ ...location, access: stored });
  await providers.create(before);
  let reads = 0;
  const overtaken: StorageProviderTable = {
    ...providers,
    async get(ref) {
      const found = await providers.get(ref);
      reads += 1;
      if (reads === 1) await update(providers, 'Rotated', { secretAccessKey: 'new' });
      return found;
    },
  };
  expect((await update(overtaken, 'Renamed')).status).toBe(200);
  expect(await providers.get(before)).toMatchObject({ name: 'Renamed', access: { encryptedSecret: 'new' } });
});

it('an update of a provider that was removed meanwhile is of none', async () => {
  const providers = storageProviderTable(table.client, table.tableName);
  const removed = aStorageProvider({ ...location, access: stored });
  let reads = 0;
  const overtaken = { ...providers, get: async () => (reads++ === 0 ? removed : undefined) };
  await providers.remove(removed);
  await expect(update(overtaken, 'Renamed')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await providers.get(removed)).toBeUndefined();
});

const r2 = `https://${'0'.repeat(32)}.r2.cloudflarestorage.com`;
const changes: [string, Partial<StorageProviderRequest>][] = [
  ['kind', { kind: 'r2', endpoint: r2 }],
  ['endpoint', { endpoint: 'https://collector.example' }],
  ['bucket', { bucket: 'another-bucket' }],
];

it.each(changes)('an update of the %s needs the secret again', async (_, change) => {
  const providers = storageProviderTable(table.client, table.tableName);
  const before = aStorageProvider({ ...location, access: stored });
  await providers.create(before);
  const path = 'access.secretAccessKey';
  await expect(update(providers, 'Moved', change)).rejects.toMatchObject({ details: [{ path }] });
  expect(await providers.get(before)).toMatchObject({ ...location, access: stored });
  expect((await update(providers, 'Moved', { ...change, secretAccessKey: 'new' })).status).toBe(200);
});

it('an update keeps the secret of an endpoint that differs by a slash only', async () => {
  const providers = storageProviderTable(table.client, table.tableName);
  const before = aStorageProvider({ ...location, access: stored });
  await providers.create(before);
  expect((await update(providers, 'Same', { endpoint: 'https://s3.example/' })).status).toBe(200);
  expect(await providers.get(before)).toMatchObject({ access: { encryptedSecret: 'old' } });
});
