import type { UploadSource } from './upload.ts';

/** A file to upload: a `File` or `Blob`, or in Node the path of a file. */
export type MediaFile = Blob & { readonly name?: string; readonly lastModified?: number };

/** The file of a path, which is read as it is sent. Needs Node. */
async function openPath(path: string): Promise<MediaFile> {
  const node = (name: string) => nodeModule(name, `${path} is no URL, and this is not Node: pass a File instead.`);
  const { openAsBlob, statSync } = node('node:fs') as typeof import('node:fs');
  const { basename } = node('node:path') as typeof import('node:path');
  // First: its error names the path of a file that is not there.
  const { mtimeMs } = statSync(path);
  return Object.assign(await openAsBlob(path), { name: basename(path), lastModified: Math.floor(mtimeMs) });
}

/** A built-in module of Node. Not imported: a bundle for browsers has none. */
export function nodeModule(name: string, otherwise: string): object {
  const { getBuiltinModule } = (globalThis as { process?: NodeJS.Process }).process ?? {};
  const builtin = getBuiltinModule?.(name);
  if (builtin === undefined) throw new TypeError(otherwise);
  return builtin as object;
}

/** A URL as the service downloads it, or the file to upload. */
export async function openSource(source: string | URL | Blob): Promise<{ url: string } | { file: MediaFile }> {
  if (source instanceof Blob) return { file: source };
  const text = String(source);
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? { url: text } : { file: await openPath(text) };
}

export function describeFile({ name, size, type }: MediaFile): UploadSource {
  return { name: (name ?? 'file').slice(-200), sizeBytes: size, contentType: type === '' ? undefined : type };
}
