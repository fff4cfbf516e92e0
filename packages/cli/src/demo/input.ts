import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { timedSleep } from '../context/timed-sleep.ts';
import { downloadToDisk } from '../transfer/download-to-disk.ts';
import { findLocalFile, type LocalFile } from '../transfer/upload-from-disk.ts';
import type { DemoHost } from './demo-host.ts';

/** The input on disk. With `url`, the job reads the URL and nothing is uploaded. */
export type DemoInput = LocalFile & { url?: string };

const clipSeconds = 10;

/** Prepares the given file or URL, or generates a clip in `directory`. */
export async function prepareInput(
  fileOrUrl: string | undefined,
  { directory, host, log }: { directory: string; host: DemoHost; log: (line: string) => void },
): Promise<DemoInput> {
  if (fileOrUrl !== undefined && /^https?:\/\//.test(fileOrUrl)) {
    log('Downloading the input, to compare sizes');
    return { ...(await downloadCopy(fileOrUrl, join(directory, 'input'))), url: fileOrUrl };
  }
  const path = fileOrUrl === undefined ? join(directory, 'clip.mp4') : resolve(fileOrUrl);
  if (fileOrUrl === undefined) {
    log(`Generating a clip: ${clipSeconds} s of video and audio, 1280x720`);
    await host.makeClip(path, clipSeconds);
  }
  return findLocalFile(path);
}

async function downloadCopy(url: string, path: string): Promise<LocalFile> {
  const { signal } = new AbortController();
  const onProgress = () => undefined;
  const options = { force: true, signal, sleep: timedSleep, newId: randomUUID, onProgress };
  const sizeBytes = await downloadToDisk({ url, path, ...options });
  return { path, sizeBytes };
}
