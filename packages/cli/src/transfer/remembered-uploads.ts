import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { UploadMemory } from '@media-jobs/client';
import type { CommandContext } from '../context/command-context.ts';
import { cacheFolder } from './cache-folder.ts';
import { type LocalFile, uploadInput } from './upload-from-disk.ts';

/** How long the service keeps an upload. */
const retentionMs = 7 * 24 * 3_600_000;

/** `uploadId` until the upload is complete. Times in Unix ms. */
type Remembered = { inputUrl: string; uploadId?: string | undefined; startedAt: number };
type UploadContext = Pick<
  CommandContext,
  'client' | 'environment' | 'newId' | 'now' | 'signal' | 'sleep' | 'openProgressView' | 'setFailureHint'
>;

/**
 * Uploads files one after another, each once: a file of the same bytes and name that went up to the same service with the same
 * key in the last seven days is not sent again, and an interrupted upload continues.
 * @returns the `inputUrl` of each file by its key
 */
export async function uploadOnce(
  context: UploadContext,
  files: ReadonlyMap<string, LocalFile>,
): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  if (files.size === 0) return urls;
  context.setFailureHint({ hint: 'No job was submitted.' });
  const view = context.openProgressView();
  try {
    for (const [key, file] of files) {
      const memory = await memoryOf(context, file);
      const known = await memory?.completed();
      if (known !== undefined) view.show({ ...progressItem(file), activity: 'uploaded before' });
      const inputUrl = known ?? (await uploadInput(file, { ...context, view, memory }));
      if (known === undefined) await memory?.complete(inputUrl);
      urls.set(key, inputUrl);
    }
  } finally {
    view.end();
  }
  return urls;
}

const progressItem = ({ path }: LocalFile) => ({ key: path, label: basename(path), percent: 100, isDone: true });

type FileMemory = UploadMemory & {
  completed(): Promise<string | undefined>;
  complete(inputUrl: string): Promise<void>;
};

/** Undefined without a folder for caches. */
async function memoryOf(context: UploadContext, file: LocalFile): Promise<FileMemory | undefined> {
  const folder = cacheFolder(context.environment);
  if (folder === undefined) return undefined;
  const path = join(folder, 'uploads.json');
  const { MEDIA_JOBS_URL = '', MEDIA_JOBS_KEY = '' } = context.environment;
  const key = createHash('sha256').update([MEDIA_JOBS_URL, MEDIA_JOBS_KEY, basename(file.path)].join('\n'));
  await pipeline(createReadStream(file.path), key, { signal: context.signal });
  const name = key.digest('hex');
  const startedAt = context.now();
  const remember = (remembered: Remembered | undefined) => writeRemembered(path, name, remembered, startedAt);
  const read = async () => (await readRemembered(path, startedAt))[name];
  return {
    async load() {
      const { inputUrl, uploadId } = (await read()) ?? {};
      return inputUrl !== undefined && uploadId !== undefined ? { inputUrl, uploadId } : undefined;
    },
    save: (unfinished) => remember({ ...unfinished, startedAt }),
    clear: () => remember(undefined),
    async completed() {
      const { inputUrl, uploadId } = (await read()) ?? {};
      return uploadId === undefined ? inputUrl : undefined;
    },
    complete: (inputUrl) => remember({ inputUrl, startedAt }),
  };
}

/** The uploads that the service still has. A file that cannot be read is as if empty: the uploads are sent again. */
async function readRemembered(path: string, now: number): Promise<Record<string, Remembered>> {
  try {
    const all = JSON.parse(await readFile(path, 'utf8')) as Record<string, Remembered>;
    return Object.fromEntries(Object.entries(all).filter(([, { startedAt }]) => now - startedAt < retentionMs));
  } catch {
    return {};
  }
}

async function writeRemembered(
  path: string,
  name: string,
  remembered: Remembered | undefined,
  now: number,
): Promise<void> {
  const { [name]: _, ...others } = await readRemembered(path, now);
  const all = remembered === undefined ? others : { ...others, [name]: remembered };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, JSON.stringify(all), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
