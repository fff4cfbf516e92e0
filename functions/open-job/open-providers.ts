import { JobError } from '@media-jobs/video/errors';
import { mapConcurrent } from '../../core/async.ts';
import type { Job, JobIn } from '../../core/jobs/record.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { type Place, providersOf } from '../../core/jobs/stored-file.ts';
import { renderKey, underPrefix } from '../../core/storage/object-key.ts';
import type { ObjectStore } from '../../core/storage/object-store.ts';
import type { StorageProvider, StorageProviderRef } from '../../core/storage/provider.ts';
import { parseStorageUrl, type StoredInput } from '../../core/storage/storage-url.ts';
import type { OpenedProvider, SignedRequest, UploadsRequest } from '../../core/worker/open-job.ts';

/** A storage provider as open-job uses it, with its credentials. */
export type SigningProvider = {
  provider: StorageProvider;
  /** A session of its role, or AWS's refusal. */
  session(): Promise<OpenedProvider>;
  /** Signs a request of one object, for an hour. */
  sign(method: SignedRequest['method'], key: string, query?: Record<string, string>): Promise<SignedRequest>;
  store: Pick<ObjectStore, 'begin' | 'abort'>;
};

export type ProviderPorts = {
  findProvider(ref: StorageProviderRef): Promise<SigningProvider | undefined>;
  onUnexpected: (ref: { ownerId: string; jobId: string }, cause: unknown) => void;
};

type Uploads =
  | { uploadIds: (string | null)[]; signed: SignedRequest[] }
  | { failed: Pick<JobError, 'message' | 'retryable'> };

const concurrentUploads = 8;
/** Of the 30 s of the function. */
const maxBeginMs = 20_000;

/** Access to the providers that a job reads or writes, by id. One that cannot be opened now is left out: its use asks again. */
export async function openProviders(
  { findProvider, onUnexpected }: ProviderPorts,
  job: JobIn<'processing'>,
): Promise<Record<string, OpenedProvider>> {
  const opened = providerIdsOf(job).map(async (storageProviderId): Promise<[string, OpenedProvider][]> => {
    try {
      const found = await findProvider({ ownerId: job.ownerId, storageProviderId });
      if (found === undefined) return [];
      if (found.provider.access.type === 'role') return [[storageProviderId, await found.session()]];
      const requests = inputKeysAt(job, found.provider).flatMap((key) => [
        found.sign('HEAD', key),
        found.sign('GET', key),
      ]);
      return [[storageProviderId, { signed: await Promise.all(requests) }]];
    } catch (cause) {
      onUnexpected(job, cause);
      return [];
    }
  });
  return Object.fromEntries((await Promise.all(opened)).flat());
}

/**
 * Begins uploads of a job's files at a provider by keys, and signs the requests of their parts, of their completion and of
 * their removal. After an error, what was begun is aborted. Undefined if the owner has no such provider.
 */
export async function openUploads(
  ports: ProviderPorts,
  job: JobIn<'processing'>,
  { storageProviderId, uploads }: UploadsRequest,
): Promise<Uploads | undefined> {
  const found = await ports.findProvider({ ownerId: job.ownerId, storageProviderId });
  if (found?.provider.access.type !== 'keys') return undefined;
  const { prefix } = found.provider;
  for (const upload of uploads) {
    const isOwn = mayWriteKey(job, { storageProviderId, prefix, key: upload.key });
    if (isOwn && (!('mark' in upload) || upload.mark.startsWith(`${job.jobId}/`))) continue;
    throw new Error(`The job ${job.jobId} does not write this object of the provider ${storageProviderId}`);
  }
  try {
    const uploadIds = await beginAll(found, uploads);
    const signed = uploads.map((upload, index) => signUpload(found, upload, uploadIds[index]));
    return { uploadIds: uploadIds.map((id) => id ?? null), signed: (await Promise.all(signed)).flat() };
  } catch (cause) {
    if (!(cause instanceof JobError)) throw cause;
    return { failed: { message: cause.message, retryable: cause.retryable } };
  }
}

async function beginAll(
  { store }: SigningProvider,
  uploads: UploadsRequest['uploads'],
): Promise<(string | undefined)[]> {
  const signal = AbortSignal.timeout(maxBeginMs);
  const begun: { key: string; uploadId: string }[] = [];
  try {
    return await mapConcurrent(uploads, concurrentUploads, async (upload) => {
      if (!('mark' in upload)) return upload.uploadId;
      const started = await store.begin(upload, signal);
      begun.push(started);
      return started.uploadId;
    });
  } catch (cause) {
    await Promise.allSettled(begun.map((upload) => store.abort(upload)));
    if (!signal.aborted) throw cause;
    throw new JobError(
      'UPLOAD_ERROR',
      'The storage provider is too slow: it did not begin the uploads in 20 seconds.',
      { retryable: true },
    );
  }
}

function signUpload(
  { sign }: SigningProvider,
  { key, parts, ...upload }: UploadsRequest['uploads'][number],
  uploadId: string | undefined,
): Promise<SignedRequest[]> {
  const firstPart = 'firstPart' in upload ? upload.firstPart : 1;
  const ofUpload = uploadId === undefined ? [] : [sign('POST', key, { uploadId }), sign('DELETE', key, { uploadId })];
  const ofParts = Array.from({ length: uploadId === undefined ? 0 : parts }, (_, index) =>
    sign('PUT', key, { partNumber: String(firstPart + index), uploadId: uploadId ?? '' }),
  );
  return Promise.all([sign('HEAD', key), sign('DELETE', key), ...ofUpload, ...ofParts]);
}

/** The inputs of a job that are objects of storage providers. Their keys are below the prefixes of the providers. */
function storedInputsOf({ request }: Pick<Job, 'request'>): StoredInput[] {
  return inputUrls(request).flatMap((url) => parseStorageUrl(url) ?? []);
}

function providerIdsOf(job: Pick<Job, 'request' | 'destination'>): string[] {
  const read = storedInputsOf(job).map(({ storageProviderId }) => storageProviderId);
  return [...new Set([...read, ...providersOf(job.destination)])];
}

/** Whether the files of a job may have a key at a storage provider: its template fixes how the key begins. */
function mayWriteKey(
  { jobId, createdAt, destination }: Pick<Job, 'jobId' | 'createdAt' | 'destination'>,
  { storageProviderId, prefix, key }: { storageProviderId: string; prefix: string | undefined; key: string },
): boolean {
  const places: readonly Place[] =
    destination === undefined ? [] : Object.values(destination.ofOutputs ?? { all: destination });
  return places.some((place) => {
    if (place.storageProviderId !== storageProviderId) return false;
    const [fixed = ''] = place.keyTemplate.split(/\{(?:name|extension)\}/);
    const fields = { jobId, date: createdAt.slice(0, 10), name: '', extension: '' };
    // Of several files without {name}, each has its name before the extension.
    return key.startsWith(renderKey(fixed, fields, prefix).replace(/\.[^./]*$/, ''));
  });
}

function inputKeysAt(
  job: Pick<Job, 'request'>,
  { storageProviderId, prefix }: { storageProviderId: string; prefix?: string | undefined },
): string[] {
  const own = storedInputsOf(job).filter((input) => input.storageProviderId === storageProviderId);
  return [...new Set(own.map(({ key }) => underPrefix(key, prefix)))];
}
