import type { JobRequest } from '../api/job-request.ts';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Destination } from '../jobs/destination.ts';
import type { Job } from '../jobs/record.ts';
import { requestInputs } from '../jobs/request-inputs.ts';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import type { SettingsTable } from '../settings/owner-settings.ts';
import { defaultKeyTemplate, findInputKeyProblem, findTemplateProblemUnder } from '../storage/object-key.ts';
import { mergeObjectOptions, type ObjectOptions } from '../storage/object-options.ts';
import type { StorageProviderTable } from '../storage/ports.ts';
import { type StorageProvider, storageProviderNotFoundMessage } from '../storage/provider.ts';
import { kindRules, noTags } from '../storage/provider-rules.ts';
import { mayUse } from '../storage/stage-bucket.ts';

export type StorageUseDeps = {
  settings: Pick<SettingsTable, 'get'>;
  providers: Pick<StorageProviderTable, 'get'>;
};

/**
 * The destination of a new job's files: the provider of its request, else the owner's default; undefined for the stage's
 * bucket. Checks every provider that the request names.
 *
 * @throws AppError VALIDATION_ERROR for an unknown provider, a key outside its prefix, too long keys, or a key without a
 * provider
 */
export async function chooseDestination(
  deps: StorageUseDeps,
  ownerId: string,
  request: JobRequest,
): Promise<Destination | undefined> {
  const { storageProviderId: requested, key, tags } = request.output;
  const storageProviderId =
    requested === undefined ? (await deps.settings.get(ownerId)).defaultStorageProviderId : requested;
  const keyTemplate = key ?? defaultKeyTemplate;
  const use = { ownerId, request, storageProviderId, keyTemplate, tags };
  const { problems, provider } = await findUnusableProviders(deps, use);
  if (storageProviderId === null) {
    for (const name of ['key', 'headers', 'storageClass', 'tags'] as const) {
      if (request.output[name] !== undefined) {
        problems.push({ path: `output.${name}`, message: 'needs a storage provider' });
      }
    }
  }
  if (problems.length > 0) throw invalidRequest(problems);
  if (storageProviderId === null) return undefined;
  return destinationAt(provider, {
    ...{ storageProviderId, keyTemplate },
    ...mergeObjectOptions(provider ?? {}, request.output),
  });
}

type ProviderDeps = Pick<StorageUseDeps, 'providers'>;

/**
 * The destination of a job that is to run again. Its providers may have been removed or changed since it was created.
 *
 * @throws AppError VALIDATION_ERROR for an unknown provider, a key outside its prefix, or too long keys
 */
export async function repeatDestination(
  deps: ProviderDeps,
  { ownerId, request, destination }: Job,
): Promise<Destination | undefined> {
  const storageProviderId = destination?.storageProviderId ?? null;
  const keyTemplate = destination?.keyTemplate ?? defaultKeyTemplate;
  const use = { ownerId, request, storageProviderId, keyTemplate, tags: destination?.tags };
  const { problems, provider } = await findUnusableProviders(deps, use);
  if (problems.length > 0) throw invalidRequest(problems);
  return destination && destinationAt(provider, destination);
}

function destinationAt(provider: StorageProvider | undefined, destination: Destination): Destination {
  return { ...destination, isOutsideAws: provider?.kind === 's3' ? undefined : true };
}

type ProviderUse = {
  ownerId: string;
  request: Pick<JobRequestRecord, 'input' | 'inputs'>;
  /** Of the destination; null for the stage's bucket. */
  storageProviderId: string | null;
  keyTemplate: string;
  tags: ObjectOptions['tags'];
};

/** What is wrong with the providers of a job, and the one of its destination. */
async function findUnusableProviders(
  deps: ProviderDeps,
  { ownerId, request, storageProviderId, keyTemplate, tags }: ProviderUse,
): Promise<{ problems: ErrorDetail[]; provider: StorageProvider | undefined }> {
  const inputs = requestInputs(request).filter(({ input }) => input.storageProviderId !== undefined);
  const providers = await readProviders(deps, ownerId, [
    ...inputs.map(({ input }) => input.storageProviderId),
    storageProviderId,
  ]);
  const problems = inputs.flatMap(({ input, path }): ErrorDetail[] => {
    const provider = providers.get(input.storageProviderId ?? '');
    if (provider === undefined) {
      return [{ path: `${path}.storageProviderId`, message: storageProviderNotFoundMessage }];
    }
    if (!mayUse(provider, 'read')) {
      return [{ path: `${path}.storageProviderId`, message: 'is a bucket of the stage that jobs may write to only' }];
    }
    const message = findInputKeyProblem(input.key ?? '', provider.prefix);
    return message === undefined ? [] : [{ path: `${path}.key`, message }];
  });
  const provider = providers.get(storageProviderId ?? '');
  if (storageProviderId !== null && provider === undefined) {
    problems.push({ path: 'output.storageProviderId', message: storageProviderNotFoundMessage });
  }
  if (provider === undefined) return { problems, provider };
  if (!mayUse(provider, 'write')) {
    problems.push({ path: 'output.storageProviderId', message: 'is a bucket of the stage that jobs may read only' });
  }
  const { kind, prefix } = provider;
  const message = findTemplateProblemUnder(keyTemplate, prefix);
  if (message !== undefined) problems.push({ path: 'output.key', message });
  if (tags !== undefined && !kindRules[kind].hasTags) problems.push({ path: 'output.tags', message: noTags(kind) });
  return { problems, provider };
}

/** The owner's providers by id. Reads each once, however often the request names it; leaves out unknown ones. */
async function readProviders(
  { providers }: ProviderDeps,
  ownerId: string,
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, StorageProvider>> {
  const named = new Set(ids.filter((id) => typeof id === 'string'));
  const found = await Promise.all([...named].map((storageProviderId) => providers.get({ ownerId, storageProviderId })));
  return new Map(found.flatMap((provider) => (provider ? [[provider.storageProviderId, provider]] : [])));
}
