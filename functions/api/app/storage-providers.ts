import { limitExceeded } from '../../../core/access/owner-limits.ts';
import type { StorageProviderRequest } from '../../../core/api/storage-provider.ts';
import type {
  createStorageProviderContract,
  deleteStorageProviderContract,
  getExternalIdContract,
  getStorageProviderContract,
  listStorageProvidersContract,
  testStorageProviderContract,
  updateStorageProviderContract,
} from '../../../core/api/storage-providers.ts';
import { AppError, invalidRequest } from '../../../core/errors.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import { namesProvider } from '../../../core/jobs/storage-use.ts';
import { checkUrl, type UrlRules } from '../../../core/net/check-url.ts';
import type { SettingsTable } from '../../../core/settings/owner-settings.ts';
import {
  externalIdOf,
  principalArn,
  type TrustedStage,
  trustPolicy,
} from '../../../core/storage/external-id.ts';
import type {
  ProviderSecretCipher,
  StorageProviderTable,
  TestStorageProvider,
} from '../../../core/storage/ports.ts';
import {
  maxStorageProviders,
  type StorageProvider,
  type StorageProviderRef,
  storageProviderNotFoundMessage,
} from '../../../core/storage/provider.ts';
import { storageProviderId } from '../../../core/storage/provider-id.ts';
import { findProviderProblems, kindRules } from '../../../core/storage/provider-rules.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { type PermitDeps, withPermit } from '../../runtime/with-permit.ts';
import { listUnfinished, type UnfinishedJobsDeps } from '../../waiting-line/unfinished-jobs.ts';

type TrustDeps = { stage: string; trustedStage: TrustedStage };

type ReadDeps = { providers: StorageProviderTable };

export type WriteProviderDeps = ReadDeps &
  TrustDeps & {
    cipher: Pick<ProviderSecretCipher, 'encrypt'>;
    clock: Pick<Clock, 'now'>;
    newId: () => string;
    /** Rules for the text of endpoints. */
    endpointRules: UrlRules;
  };

export function listStorageProviders({ providers }: ReadDeps): RouteApp<typeof listStorageProvidersContract> {
  return async ({ principal: { ownerId } }) => {
    const found = await providers.list(ownerId);
    return { status: 200, body: { storageProviders: found.map(viewProvider) } };
  };
}

export function getStorageProvider({ providers }: ReadDeps): RouteApp<typeof getStorageProviderContract> {
  return async ({ params: { id }, principal: { ownerId } }) => {
    return {
      status: 200,
      body: viewProvider(await findProvider(providers, { ownerId, storageProviderId: id })),
    };
  };
}

export function createStorageProvider(
  deps: WriteProviderDeps,
): RouteApp<typeof createStorageProviderContract> {
  return async ({ body, principal: { ownerId } }) => {
    const ref = { ownerId, storageProviderId: storageProviderId(deps.newId()) };
    assertAllowed(body, deps);
    const { length: use } = await deps.providers.list(ownerId);
    if (use >= maxStorageProviders) throw tooManyProviders(use);
    const provider = await toProvider(deps, { ref, body });
    await deps.providers.create(provider);
    const headers = { location: `/api/v1/storage-providers/${ref.storageProviderId}` };
    return { status: 201, headers, body: viewProvider(provider) };
  };
}

/** Replaces the settings. Without a secret in the request, the stored one stays. */
export function updateStorageProvider(
  deps: WriteProviderDeps,
): RouteApp<typeof updateStorageProviderContract> {
  return async ({ body, params: { id }, principal: { ownerId } }) => {
    assertAllowed(body, deps);
    const ref = { ownerId, storageProviderId: id };
    const stored = await findProvider(deps.providers, ref);
    const provider = await toProvider(deps, { ref, body, stored });
    if (!(await deps.providers.replace(provider))) throw notFound();
    return { status: 200, body: viewProvider(provider) };
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
    await findProvider(providers, ref);
    if ((await settings.get(ownerId)).defaultStorageProviderId === id) {
      throw inUse('The storage provider is the default: set another default first.');
    }
    for (const state of ['queued', 'processing'] as const) {
      let afterJobId: string | undefined;
      do {
        const page = await listUnfinished(unfinished, state, { ownerId, limit: jobsPerPage, afterJobId });
        const user = page.jobs.find((job) => namesProvider(job, id));
        if (user !== undefined)
          throw inUse(`The job ${user.jobId} is unfinished and uses the storage provider.`);
        afterJobId = page.lastJobId;
      } while (afterJobId !== undefined);
    }
    await providers.remove(ref);
    return { status: 204 };
  };
}

export type TestProviderDeps = ReadDeps & PermitDeps & { test: TestStorageProvider };

/**
 * Tests a provider and stores the result, unless the settings were changed meanwhile. One test of an owner runs at a time,
 * since each holds a function until the provider responds.
 */
export function testStorageProvider(deps: TestProviderDeps): RouteApp<typeof testStorageProviderContract> {
  const { providers, test, clock } = deps;
  return async ({ params: { id }, principal: { ownerId } }) => {
    const provider = await findProvider(providers, { ownerId, storageProviderId: id });
    const rule = { group: ownerId, max: 1, expiryMs: providerTestExpiryMs };
    const result = await withPermit(deps, rule, { call: () => test(provider), rejection: testIsRunning });
    await providers.recordTest(provider, { at: clock.now().toISOString(), ...result });
    return { status: 200, body: result };
  };
}

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

function testIsRunning(): AppError {
  return limitExceeded(
    { limit: 'maxRunningStorageProviderTests', value: 1, use: 1, retryAfterSeconds: 15 },
    'A test of a storage provider is running; wait for its result.',
  );
}

async function findProvider(
  providers: Pick<StorageProviderTable, 'get'>,
  ref: StorageProviderRef,
): Promise<StorageProvider> {
  const found = await providers.get(ref);
  if (found === undefined) throw notFound();
  return found;
}

/** Rejects what the kind does not allow, a role of the stage's own account, and an endpoint that is not public. */
function assertAllowed(
  body: StorageProviderRequest,
  { endpointRules, trustedStage }: WriteProviderDeps,
): void {
  const problems = findProviderProblems(body);
  if (body.access.type === 'role' && body.access.roleArn.split(':')[4] === trustedStage.accountId) {
    problems.push({ path: 'access.roleArn', message: 'is a role of the account of this service' });
  }
  if (problems.length > 0) throw invalidRequest(problems);
  if (body.endpoint === undefined) return;
  const { url, rejection } = checkUrl(body.endpoint, endpointRules);
  const isOrigin = url !== undefined && url.pathname === '/' && url.search === '' && url.hash === '';
  if (isOrigin) return;
  const message = rejection ?? 'The endpoint must have no path, query or fragment';
  throw new AppError('INVALID_URL', `endpoint: ${message}`, { details: [{ path: 'endpoint', message }] });
}

type ProviderFields = { ref: StorageProviderRef; body: StorageProviderRequest; stored?: StorageProvider };

async function toProvider(
  deps: WriteProviderDeps,
  { ref, body, stored }: ProviderFields,
): Promise<StorageProvider> {
  const { access: _, region = kindRules[body.kind].defaultRegion ?? '', endpoint, ...fields } = body;
  const now = deps.clock.now().toISOString();
  return {
    ...ref,
    ...fields,
    region,
    endpoint: endpoint?.replace(/\/$/, ''),
    access: await toAccess(deps, { ref, body, stored }),
    createdAt: stored?.createdAt ?? now,
    updatedAt: now,
  };
}

async function toAccess(
  { cipher, stage }: WriteProviderDeps,
  { ref, body: { access }, stored }: ProviderFields,
): Promise<StorageProvider['access']> {
  if (access.type === 'role') {
    return { type: 'role', roleArn: access.roleArn, externalId: externalIdOf(ref.ownerId, stage) };
  }
  const { accessKeyId, secretAccessKey } = access;
  if (secretAccessKey !== undefined) {
    return { type: 'keys', accessKeyId, encryptedSecret: await cipher.encrypt(secretAccessKey, ref) };
  }
  if (stored?.access.type !== 'keys') {
    throw invalidRequest([{ path: 'access.secretAccessKey', message: 'Required: no secret is stored' }]);
  }
  return { type: 'keys', accessKeyId, encryptedSecret: stored.access.encryptedSecret };
}

function viewProvider({ storageProviderId: id, ownerId: _, access, lastTest, ...fields }: StorageProvider) {
  return {
    id,
    ...fields,
    access:
      access.type === 'role' ? access : ({ type: access.type, accessKeyId: access.accessKeyId } as const),
    lastTest: lastTest ?? null,
  };
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', storageProviderNotFoundMessage);
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
