import type { MediaFile } from './media-source.ts';
import type { UploadMemory } from './upload.ts';

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
