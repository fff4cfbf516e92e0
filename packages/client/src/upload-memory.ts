import type { MediaFile } from './media-source.ts';
import { storageRejectionError, storageUnreachableError } from './storage-error.ts';
import type { RangePut, UploadMemory } from './upload.ts';

type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Remembers the unfinished upload of a file in the storage of a page, so that it continues after the page was reloaded. A
 * file is known by its name, size and time, as its bytes would take long to read.
 */
export function pageMemory(baseUrl: string, { name = '', size, lastModified }: MediaFile): UploadMemory | undefined {
  const storage = pageStorage();
  if (storage === undefined || lastModified === undefined) return undefined;
  const key = `media-jobs:${baseUrl}:${name}:${size}:${lastModified}`;
  return {
    load: async () => JSON.parse(storage.getItem(key) ?? 'null') ?? undefined,
    save: async (unfinished) => storage.setItem(key, JSON.stringify(unfinished)),
    clear: async () => storage.removeItem(key),
  };
}

/** Undefined in Node, and in a page that may store nothing. */
function pageStorage(): TextStorage | undefined {
  try {
    const { document, localStorage } = globalThis as { document?: object; localStorage?: TextStorage };
    return document === undefined ? undefined : localStorage;
  } catch {
    return undefined;
  }
}

/** PUTs a range of a file to a signed URL and returns its ETag. */
export async function putBlob(file: Blob, { url, start, end, signal, onProgress }: RangePut): Promise<string> {
  const response = await fetch(url, { method: 'PUT', body: file.slice(start, end), signal }).catch((cause: unknown) => {
    if (signal.aborted) throw signal.reason;
    throw storageUnreachableError(cause);
  });
  await response.body?.cancel().catch(() => undefined);
  if (!response.ok) throw storageRejectionError('the file', response.status);
  onProgress(end - start);
  return response.headers.get('etag') ?? '';
}
