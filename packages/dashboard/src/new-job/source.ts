import { parseStorageUrl, type StoredInput } from '@media-jobs/core/api';

/** An input: a file to upload, or a URL as typed; `storage:` for an object of a storage provider. */
export type Source = File | string;

/** Whether a source is complete: a file, a URL, or an object with its key. */
export function isSourceSet(source: Source): boolean {
  return source instanceof File || (source.trim() !== '' && storedSourceOf(source)?.key !== '');
}

/** The object of a storage provider that a source names. Its key is empty until it is typed. */
export function storedSourceOf(source: Source): StoredInput | undefined {
  if (source instanceof File) return undefined;
  // A URL without a key is not valid: parse it with one more character.
  const parsed = parseStorageUrl(`${source}.`);
  return parsed && { ...parsed, key: parsed.key.slice(0, -1) };
}

/** A URL as an input of a request. */
export function toInput(url: string): { url: string } | StoredInput {
  return parseStorageUrl(url) ?? { url };
}

/** The URL of a source in the request preview; a placeholder for a file that is not uploaded yet. */
export function displayUrl(source: Source): string {
  if (source instanceof File) return `upload://…/${encodeURIComponent(source.name)}`;
  return source.trim() === '' ? 'https://…' : source.trim();
}
