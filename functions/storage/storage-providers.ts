import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { maxConcurrentTests, type Tenancy } from '../../core/access/owner.ts';
import { limitExceeded } from '../../core/access/owner-limits.ts';
import type {
  createStorageProviderContract,
  deleteStorageProviderContract,
  getExternalIdContract,
  getStorageProviderContract,
  listStorageProvidersContract,
  testStorageProviderContract,
  updateStorageProviderContract,
} from '../../core/api/storage-providers.ts';
import { retryConflicts } from '../../core/async.ts';
import { type LimitDeps, withinLimit } from '../../core/concurrency-limit.ts';
import { AppError } from '../../core/errors.ts';
import { type ReserveIdDeps, replayed, reserveId } from '../../core/idempotency.ts';
import type { Job } from '../../core/jobs/record.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { providersOf } from '../../core/jobs/stored-file.ts';
import { listUnfinished, type UnfinishedJobsDeps } from '../../core/jobs/unfinished-jobs.ts';
import type { SettingsTable } from '../../core/settings/owner-settings.ts';
import { externalIdOf, principalArn, trustPolicy } from '../../core/storage/external-id.ts';
import {
  maxStorageProviders,
  type StorageProvider,
  type StorageProviderRef,
  type StorageProviderTable,
  storageProviderNotFoundMessage,
  type TestStorageProvider,
} from '../../core/storage/provider.ts';
import { parseStorageUrl, storageProviderId } from '../../core/storage/storage-url.ts';
import {
  assertAllowedProvider,
  type ProviderRecordDeps,
  providerRecord,
  type TrustDeps,
  viewProvider,
} from './provider-record.ts';

type ReadDeps = { providers: StorageProviderTable };

export type WriteProviderDeps = ReadDeps & ProviderRecordDeps;

/** Lists the storage providers of the owner, oldest first, without their secrets. */
export function listStorageProviders({ providers }: ReadDeps): RouteApp<typeof listStorageProvidersContract> {
  return async ({ principal: { ownerId } }) => {
    const found = await providers.list(ownerId);
    return { status: 200, body: { storageProviders: found.map(viewProvider) } };
  };
}

/** Reads a storage provider, without its secret. Throws AppError NOT_FOUND. */
export function getStorageProvider({ providers }: ReadDeps): RouteApp<typeof getStorageProviderContract> {
  return async ({ params: { id }, principal: { ownerId } }) => {
    return { status: 200, body: viewProvider(await findProvider(providers, { ownerId, storageProviderId: id })) };
  };
}

/**
 * Stores a new storage provider.
 * @throws AppError VALIDATION_ERROR or INVALID_URL for its settings, LIMIT_EXCEEDED above `maxStorageProviders`
 */
export function createStorageProvider(
  deps: WriteProviderDeps & ReserveIdDeps,
): RouteApp<typeof createStorageProviderContract> {
  return async ({ body, rawBody, headers: { 'idempotency-key': idempotencyKey }, principal: { ownerId } }) => {
    assertAllowedProvider(body, deps);
    let provider: StorageProvider | undefined;
    const keyed = { ownerId, idempotencyKey, request: { createStorageProvider: rawBody } };
    const reserved = await reserveId(deps, keyed, async ({ id }) => {
      const stored = (await deps.providers.list(ownerId)).filter(({ access }) => access.type !== 'stage');
      provider = stored.find((one) => one.storageProviderId === storageProviderId(id));
      if (provider === undefined && stored.length >= maxStorageProviders) throw tooManyProviders(stored.length);
    });
    const ref = { ownerId, storageProviderId: storageProviderId(reserved.id) };
    if (provider === undefined) {
      provider = await providerRecord(deps, { ref, body });
      await deps.providers.create(provider);
    }
    const location = `/api/v1/storage-providers/${ref.storageProviderId}`;
    return { status: 201, headers: { location, ...replayed(reserved).headers }, body: viewProvider(provider) };
  };
}

/** Replaces the settings. Without a secret in the request, the stored one stays, also one that was stored meanwhile. */
export function updateStorageProvider(deps: WriteProviderDeps): RouteApp<typeof updateStorageProviderContract> {
  return async ({ body, params: { id }, principal: { ownerId } }) => {
    const ref = { ownerId, storageProviderId: id };
    assertOfOwner(await findProvider(deps.providers, ref));
    assertAllowedProvider(body, deps);
    return retryConflicts(async () => {
      const stored = await findProvider(deps.providers, ref);
      const provider = await providerRecord(deps, { ref, body, stored });
      const isReplaced = await deps.providers.replace(provider, stored);
      return isReplaced && ({ status: 200, body: viewProvider(provider) } as const);
    });
  };
}

export type DeleteProviderDeps = ReadDeps & UnfinishedJobsDeps & { settings: Pick<SettingsTable, 'get'> };

const jobsPerPage = 100;

/** Removes a provider that is neither the default nor named by an unfinished job. */
export function deleteStorageProvider({
  providers,
  settings,
  ...unfinished
}: DeleteProviderDeps): RouteApp<typeof deleteStorageProviderContract> {
  return async ({ params: { id }, principal: { ownerId } }) => {
    const ref = { ownerId, storageProviderId: id };
    assertOfOwner(await findProvider(providers, ref));
    if ((await settings.get(ownerId)).defaultStorageProviderId === id) {
      throw inUse('The storage provider is the default: set another default first.');
    }
    for (const state of ['queued', 'processing'] as const) {
      let afterJobId: string | undefined;
      do {
        const page = await listUnfinished(unfinished, state, { ownerId, limit: jobsPerPage, afterJobId });
        // It may use the storage provider.
        for (const error of page.unreadable) throw error;
        const user = page.jobs.find((job) => namesProvider(job, id));
        if (user !== undefined) throw inUse(`The job ${user.jobId} is unfinished and uses the storage provider.`);
        afterJobId = page.lastJobId;
      } while (afterJobId !== undefined);
    }
    await providers.remove(ref);
    return { status: 204 };
  };
}

export type TestProviderDeps = ReadDeps & LimitDeps & { tenancy: Tenancy; test: TestStorageProvider };

/**
 * Tests a provider and stores the result, unless the settings were changed meanwhile. Each test holds a function until the
 * provider responds: see `maxConcurrentTests`.
 */
export function testStorageProvider(deps: TestProviderDeps): RouteApp<typeof testStorageProviderContract> {
  const { providers, test, clock } = deps;
  return async ({ params: { id }, principal: { ownerId } }) => {
    const provider = await findProvider(providers, { ownerId, storageProviderId: id });
    const rule = { limit: ownerId, max: maxConcurrentTests(deps.tenancy), expiryMs: providerTestExpiryMs };
    const result = await withinLimit(deps, rule, { call: () => test(provider), refused: refuseTest });
    await providers.recordTest(provider, { at: clock.now().toISOString(), ...result });
    return { status: 200, body: result };
  };
}

/** The external id of the owner, and the trust policy that a role of the owner needs. */
export function getExternalId({ stage, trustedStage }: TrustDeps): RouteApp<typeof getExternalIdContract> {
  return async ({ principal: { ownerId } }) => {
    const externalId = externalIdOf(ownerId, stage);
    const body = {
      externalId,
      principalArn: principalArn(trustedStage),
      trustPolicy: trustPolicy(externalId, trustedStage),
    };
    return { status: 200, body };
  };
}

/** Longer than a test. */
const providerTestExpiryMs = 30_000;

function refuseTest(): never {
  throw limitExceeded(
    { limit: 'maxRunningStorageProviderTests', value: 1, use: 1, retryAfterSeconds: 15 },
    'A test of a storage provider is running; wait for its result.',
  );
}

async function findProvider(
  providers: Pick<StorageProviderTable, 'get'>,
  ref: StorageProviderRef,
): Promise<StorageProvider> {
  const found = await providers.get(ref);
  if (found === undefined) throw new AppError('NOT_FOUND', storageProviderNotFoundMessage);
  return found;
}

function assertOfOwner({ access }: StorageProvider): void {
  if (access.type !== 'stage') return;
  const message =
    'The bucket is one of the setting `buckets` of this stage: only its operator can change or remove it.';
  throw new AppError('STORAGE_PROVIDER_OF_STAGE', message);
}

function inUse(message: string): AppError {
  return new AppError('STORAGE_PROVIDER_IN_USE', message);
}

function tooManyProviders(use: number): AppError {
  return limitExceeded(
    { limit: 'maxStorageProviders', value: maxStorageProviders, use },
    `There are ${use} storage providers, which is the limit. Remove some.`,
  );
}

/** Whether a job writes its files to a storage provider or reads an input from it. */
function namesProvider({ destination, request }: Job, storageProviderId: string): boolean {
  if (providersOf(destination).includes(storageProviderId)) return true;
  return inputUrls(request).some((url) => parseStorageUrl(url)?.storageProviderId === storageProviderId);
}
