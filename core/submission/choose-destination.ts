import type { JobRequest } from '../api/job-request.ts';
import { type ErrorDetail, invalidRequest } from '../errors.ts';
import type { Job } from '../jobs/record.ts';
import { requestInputs } from '../jobs/request-inputs.ts';
import type { JobRequestRecord } from '../jobs/request-record.ts';
import type { Destination, Place } from '../jobs/stored-file.ts';
import type { SettingsTable } from '../settings/owner-settings.ts';
import { defaultKeyTemplate, findInputKeyProblem, findTemplateProblemUnder, renderKey } from '../storage/object-key.ts';
import { mergeObjectOptions, type ObjectOptions } from '../storage/object-options.ts';
import type { StorageProvider, StorageProviderTable } from '../storage/provider.ts';
import { kindRules, noTags } from '../storage/provider-rules.ts';
import { findUseProblem } from '../storage/stage-bucket.ts';

export type StorageUseDeps = { settings: Pick<SettingsTable, 'get'>; providers: Pick<StorageProviderTable, 'get'> };

/** One result of a request, and the place that the request names for its files. */
type Requested = {
  /** The path of its fields in the request. */
  path: string;
  /** The name of the output; undefined if it is the only result of the job. */
  output?: string | undefined;
  storageProviderId?: string | null | undefined;
  key?: string | undefined;
  format: string;
} & ObjectOptions;

/** A result whose files go to a storage provider. */
type Placed = Requested & { place: Place };

/**
 * The destination of a new job's files: the provider of each result in its request, else the owner's default; undefined for
 * the stage's bucket. Checks every provider that the request names.
 *
 * @throws AppError VALIDATION_ERROR for an unknown provider, a key outside its prefix, too long keys, a key without a
 * provider, or a key of two outputs
 */
export async function chooseDestination(
  deps: StorageUseDeps,
  ownerId: string,
  request: JobRequest,
): Promise<Destination | undefined> {
  const results = requestedResults(request);
  const needsDefault = results.some(({ storageProviderId }) => storageProviderId === undefined);
  const fallback = needsDefault ? (await deps.settings.get(ownerId)).defaultStorageProviderId : null;
  const chosen = results.map((result) => ({
    ...result,
    // Null stands for the bucket of the stage, whatever the default is.
    storageProviderId: result.storageProviderId === undefined ? fallback : result.storageProviderId,
  }));
  const placed = chosen.flatMap(({ storageProviderId, key: keyTemplate = defaultKeyTemplate, ...result }): Placed[] =>
    storageProviderId === null ? [] : [{ ...result, place: { storageProviderId, keyTemplate } }],
  );
  const { problems, providers } = await findUnusableProviders(deps, { ownerId, request, placed });
  for (const result of chosen.filter(({ storageProviderId }) => storageProviderId === null)) {
    const named = (['key', 'headers', 'storageClass', 'tags'] as const).filter((name) => result[name] !== undefined);
    problems.push(...named.map((name) => ({ path: `${result.path}.${name}`, message: 'needs a storage provider' })));
  }
  problems.push(...findSameKeys(placed));
  if (problems.length > 0) throw invalidRequest(problems);
  const withOptions = placed.map((result) => {
    const options = mergeObjectOptions(providers.get(result.place.storageProviderId) ?? {}, result);
    return { ...result, place: { ...result.place, ...options } };
  });
  return destinationAt(withOptions, providers);
}

function requestedResults(request: JobRequest): Requested[] {
  if (request.mode !== 'outputs') return [{ path: 'output', ...request.output }];
  return Object.entries(request.outputs)
    .filter(([, { deliver }]) => deliver !== false)
    .map(([output, fields]) => ({ path: `outputs.${output}`, output, ...fields }));
}

/** Outputs whose files would have the same key at the same provider. */
function findSameKeys(placed: readonly Placed[]): ErrorDetail[] {
  const date = '0000-00-00';
  const keyOf = ({ output = '', format, place: { storageProviderId, keyTemplate } }: Placed) => {
    const fields = { jobId: '{jobId}', name: output, extension: format, date };
    return `${storageProviderId} ${renderKey(keyTemplate, fields, undefined)}`;
  };
  return placed.flatMap((each, index) => {
    const first = placed.findIndex((other) => keyOf(other) === keyOf(each));
    if (first === index) return [];
    return [{ path: `${each.path}.key`, message: `The output ${placed[first]?.output} has the same key` }];
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
  const ofOutputs = Object.entries(destination?.ofOutputs ?? {});
  const placed = ofOutputs.map(([output, place]): Placed => {
    return { path: `outputs.${output}`, output, format: '', tags: place.tags, place };
  });
  if (destination !== undefined && destination.ofOutputs === undefined)
    placed.push({ path: 'output', format: '', tags: destination.tags, place: destination });
  const { problems, providers } = await findUnusableProviders(deps, { ownerId, request, placed });
  if (problems.length > 0) throw invalidRequest(problems);
  return destinationAt(placed, providers);
}

function destinationAt(
  placed: readonly Placed[],
  providers: ReadonlyMap<string, StorageProvider>,
): Destination | undefined {
  const places = placed.map(({ output, place }): [string | undefined, Place] => {
    const isInAws = providers.get(place.storageProviderId)?.kind === 's3';
    return [output, { ...place, isOutsideAws: isInAws ? undefined : true }];
  });
  const [[output, first] = []] = places;
  if (first === undefined || output === undefined) return first;
  return { ...first, ofOutputs: Object.fromEntries(places) };
}

type ProviderUse = { ownerId: string; request: Pick<JobRequestRecord, 'input' | 'inputs'>; placed: readonly Placed[] };

/** The problems of the providers that a job names, and the providers by id. */
async function findUnusableProviders(
  deps: ProviderDeps,
  { ownerId, request, placed }: ProviderUse,
): Promise<{ problems: ErrorDetail[]; providers: Map<string, StorageProvider> }> {
  const inputs = requestInputs(request).filter(({ input }) => input.storageProviderId !== undefined);
  const providers = await readProviders(deps, ownerId, [
    ...inputs.map(({ input }) => input.storageProviderId),
    ...placed.map(({ place }) => place.storageProviderId),
  ]);
  const problems = inputs.flatMap(({ input, path }): ErrorDetail[] => {
    const provider = providers.get(input.storageProviderId ?? '');
    const useProblem = findUseProblem(provider, 'read');
    if (useProblem !== undefined) return [{ path: `${path}.storageProviderId`, message: useProblem }];
    const message = findInputKeyProblem(input.key ?? '', provider?.prefix);
    return message === undefined ? [] : [{ path: `${path}.key`, message }];
  });
  const ofPlaces = placed.flatMap((result) => placeProblems(result, providers.get(result.place.storageProviderId)));
  return { problems: [...problems, ...ofPlaces], providers };
}

function placeProblems({ path, place, tags }: Placed, provider: StorageProvider | undefined): ErrorDetail[] {
  const useProblem = findUseProblem(provider, 'write');
  const ofUse = useProblem === undefined ? [] : [{ path: `${path}.storageProviderId`, message: useProblem }];
  if (provider === undefined) return ofUse;
  const { kind, prefix } = provider;
  const keyProblem = findTemplateProblemUnder(place.keyTemplate, prefix);
  return [
    ...ofUse,
    ...(keyProblem === undefined ? [] : [{ path: `${path}.key`, message: keyProblem }]),
    ...(tags === undefined || kindRules[kind].hasTags ? [] : [{ path: `${path}.tags`, message: noTags(kind) }]),
  ];
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
