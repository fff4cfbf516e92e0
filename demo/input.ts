import { join, resolve } from 'node:path';
import { timedPause } from '../cli/context/timed-pause.ts';
import { downloadToDisk } from '../cli/transfer/download-to-disk.ts';
import { findLocalFile, type LocalFile } from '../cli/transfer/upload-from-disk.ts';
import { findFfmpeg } from '../local/find-ffmpeg.ts';
import { makeClip } from '../local/sample/clip.ts';

/** The demo's input: a copy on this disk, and the URL under which the job gets it, unless it has to be uploaded. */
export type DemoInput = LocalFile & { url?: string };

const clipSeconds = 10;

/** Prepares the input: the file or URL that was asked for, else a clip that is made here. */
export async function prepareInput(
  asked: string | undefined,
  directory: string,
  say: (line: string) => void,
): Promise<DemoInput> {
  if (asked !== undefined && /^https?:\/\//.test(asked)) {
    say('Fetching a copy of the input, to compare sizes with');
    return { ...(await fetchCopy(asked, join(directory, 'input'))), url: asked };
  }
  const path = asked === undefined ? join(directory, 'clip.mp4') : resolve(asked);
  if (asked === undefined) {
    say(`Making a clip: ${clipSeconds} s of moving picture with sound, 1280x720`);
    await makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, seconds: clipSeconds });
  }
  return findLocalFile(path);
}

async function fetchCopy(url: string, path: string): Promise<LocalFile> {
  const { signal } = new AbortController();
  const onProgress = () => undefined;
  const sizeBytes = await downloadToDisk({ url, path, force: true, signal, pause: timedPause, onProgress });
  return { path, sizeBytes };
}
