import { JobError } from '@media-jobs/video/errors';
import { mapConcurrent, withTimeout } from '../async.ts';
import type { ListedFiles } from '../jobs/chunked-ports.ts';
import type { Clock, JobRef } from '../jobs/ports.ts';
import { type Publication, publicationPrefix } from '../jobs/publication.ts';
import type { JobIn } from '../jobs/record.ts';
import type { Destination } from '../jobs/stored-file.ts';
import type { ObjectStore, OpenObjectStore } from '../storage/object-store.ts';
import { publicationStores } from './publication-stores.ts';
import { readPublication } from './publish.ts';

/** Files whose removal is under way at the same time: a sprite has 51, and a sweep gives a provider five seconds. */
const maxConcurrentRemovals = 8;

/** Less than what an upload leaves to keep the files for a retry (`core/storage/upload-time.ts`). */
const maxMs = 20_000;

export type DiscardDeps = {
  openObjectStore: OpenObjectStore;
  clock: Clock;
  onUnexpected: (ref: JobRef, cause: unknown) => void;
};

/**
 * Aborts the uploads of a publication and removes the files that it has made visible, for 20 s at most: a provider that does
 * not answer must not hold the worker. Uploads of another publication, which may become the result, stay. An error is
 * reported, not thrown: reconcile discards it again.
 */
export async function discardPublication(deps: DiscardDeps, job: JobRef, publication: Publication): Promise<void> {
  const timeout = { clock: deps.clock, ms: maxMs, action: 'Discarding the publication' };
  await withTimeout(timeout, () => discardOwn(deps.openObjectStore, job, publication)).catch((cause: unknown) =>
    deps.onUnexpected(job, cause),
  );
}

/** Discards a publication of a job that has ended, and every other upload to its keys. Idempotent. */
export async function discard(openObjectStore: OpenObjectStore, job: JobRef, publication: Publication): Promise<void> {
  await discardOwn(openObjectStore, job, publication);
  // Last: a provider that lists no uploads would else keep what is visible.
  await abortPublication(openObjectStore, job, publication);
}

async function discardOwn(openObjectStore: OpenObjectStore, job: JobRef, publication: Publication): Promise<void> {
  const { uploads, mark } = publication;
  const storeOf = publicationStores(openObjectStore, job, publication);
  // Begins with the last: a playlist disappears before or with the files that it names.
  await mapConcurrent([...uploads].reverse(), maxConcurrentRemovals, async (upload) => {
    const { key, uploadId } = upload;
    const store = await storeOf(upload);
    await store.remove(key, mark);
    if (uploadId !== undefined) await store.abort({ key, uploadId });
  });
}

/** Aborts uploads that were created twice, or without an answer. Only a key with the job's id belongs to the job alone. */
async function abortUploads(store: ObjectStore, { key, jobId }: { key: string; jobId: string }): Promise<void> {
  if (!key.includes(jobId)) return;
  for (const upload of await store.unfinished(key)) await store.abort(upload);
}

/** Aborts every upload that is left at the keys of a publication of a job that has ended. */
export async function abortPublication(
  openObjectStore: OpenObjectStore,
  job: JobRef,
  publication: Publication,
): Promise<void> {
  const storeOf = publicationStores(openObjectStore, job, publication);
  await mapConcurrent(publication.uploads, maxConcurrentRemovals, async (upload) =>
    abortUploads(await storeOf(upload), { key: upload.key, jobId: job.jobId }),
  );
}

/** A provider that does not answer must not delay the jobs of other owners. */
const maxRemovalMs = 5_000;

/**
 * `unavailable`: a provider did not respond in time. A later run tries again. If a provider rejects a request, its lifecycle
 * rules have to remove what is left.
 */
export type ProviderRemovalResult = 'complete' | 'unavailable';

/**
 * Discards every publication of a job except that of its result, of which it aborts the uploads that are left. The
 * publications in the media bucket are kept for a later run.
 */
export async function discardPublications(
  deps: { openObjectStore: OpenObjectStore; clock: Clock; files: ListedFiles },
  job: JobRef & { destination?: Destination | undefined; publication?: string | undefined },
): Promise<ProviderRemovalResult> {
  if (job.destination === undefined) return 'complete';
  for (const key of await deps.files.list(publicationPrefix(job.jobId))) {
    const publication = await readPublication(deps, key);
    const end = key === job.publication ? abortPublication : discard;
    const result = await removeInTime(deps.clock, () => end(deps.openObjectStore, job, publication));
    if (result !== 'complete') return result;
  }
  return 'complete';
}

/** Removes the files at the provider of a job that was deleted with them. An object of another publication stays. */
export async function removeStoredFiles(
  { openObjectStore, clock }: { openObjectStore: OpenObjectStore; clock: Clock },
  { ownerId, destination, storedFiles }: JobIn<'deleted'>,
): Promise<ProviderRemovalResult> {
  if (destination === undefined || storedFiles === undefined) return 'complete';
  const { mark, keys, others = [] } = storedFiles;
  const objects = [...keys.map((key) => ({ key, storageProviderId: undefined })), ...others];
  return removeInTime(clock, async () => {
    const storeOf = publicationStores(openObjectStore, { ownerId }, destination);
    await mapConcurrent(objects, maxConcurrentRemovals, async (object) =>
      (await storeOf(object)).remove(object.key, mark),
    );
  });
}

async function removeInTime(clock: Clock, remove: () => Promise<void>): Promise<ProviderRemovalResult> {
  try {
    await withTimeout({ clock, ms: maxRemovalMs, action: 'Removing files at the storage provider' }, remove);
    return 'complete';
  } catch (cause) {
    return cause instanceof JobError && !cause.retryable ? 'complete' : 'unavailable';
  }
}
