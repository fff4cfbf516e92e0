import { mapConcurrent, withTimeout } from '../async.ts';
import type { Clock, JobRef } from '../jobs/ports.ts';
import type { Publication } from '../jobs/publication.ts';
import type { ObjectStore, OpenObjectStore } from '../storage/object-store.ts';
import { publicationStores } from './publication-stores.ts';

/** Files whose removal is under way at the same time: a sprite has 51, and a sweep gives a provider five seconds. */
export const maxConcurrentRemovals = 8;

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
