import { JobError } from '@media-jobs/video/errors';
import { mapConcurrent, withTimeout } from '../async.ts';
import type { ListedFiles } from '../jobs/chunked-ports.ts';
import type { Clock, JobRef } from '../jobs/ports.ts';
import { publicationPrefix } from '../jobs/publication.ts';
import type { JobIn } from '../jobs/record.ts';
import type { Destination } from '../jobs/stored-file.ts';
import type { OpenObjectStore } from '../storage/object-store.ts';
import { abortPublication, discard, maxConcurrentRemovals } from './discard-publication.ts';
import { publicationStores } from './publication-stores.ts';
import { readPublication } from './publish.ts';

type DiscardAllDeps = { openObjectStore: OpenObjectStore; clock: Clock; files: ListedFiles };

/** A provider that does not answer must not delay the jobs of other owners. */
const maxMs = 5_000;

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
  deps: DiscardAllDeps,
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
    await withTimeout({ clock, ms: maxMs, action: 'Removing files at the storage provider' }, remove);
    return 'complete';
  } catch (cause) {
    return cause instanceof JobError && !cause.retryable ? 'complete' : 'unavailable';
  }
}
