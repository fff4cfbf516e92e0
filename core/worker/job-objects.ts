import { inputUrls } from '../jobs/read-request.ts';
import type { Job } from '../jobs/record.ts';
import { type Place, providersOf } from '../jobs/stored-file.ts';
import { renderKey, underPrefix } from '../storage/object-key.ts';
import { parseStorageUrl, type StoredInput } from '../storage/storage-url.ts';

/** The inputs of a job that are objects of storage providers. Their keys are below the prefixes of the providers. */
function storedInputsOf({ request }: Pick<Job, 'request'>): StoredInput[] {
  return inputUrls(request).flatMap((url) => parseStorageUrl(url) ?? []);
}

/** Every storage provider that a job reads or writes. */
export function providerIdsOf(job: Pick<Job, 'request' | 'destination'>): string[] {
  const read = storedInputsOf(job).map(({ storageProviderId }) => storageProviderId);
  return [...new Set([...read, ...providersOf(job.destination)])];
}

/** Whether the files of a job may have a key at a storage provider: its template fixes how the key begins. */
export function mayWriteKey(
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

export function inputKeysAt(
  job: Pick<Job, 'request'>,
  { storageProviderId, prefix }: { storageProviderId: string; prefix?: string | undefined },
): string[] {
  const own = storedInputsOf(job).filter((input) => input.storageProviderId === storageProviderId);
  return [...new Set(own.map(({ key }) => underPrefix(key, prefix)))];
}
