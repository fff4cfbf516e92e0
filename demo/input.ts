import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findFfmpeg } from '../local/ffmpeg.ts';
import { makeClip } from '../local/sample/clip.ts';
import { serveFile } from './file-server.ts';

/** The demo's input: a copy on this disk, and the URL under which the job gets it. */
export type DemoInput = { path: string; sizeBytes: number; url: string; close(): Promise<void> };

const clipSeconds = 10;

/** Prepares the input: the file or URL that was asked for, else a clip that is made here. */
export async function prepareInput(
  asked: string | undefined,
  directory: string,
  say: (line: string) => void,
): Promise<DemoInput> {
  if (asked !== undefined && /^https?:\/\//.test(asked)) return fetchCopy(asked, directory, say);
  const path = asked === undefined ? join(directory, 'clip.mp4') : resolve(asked);
  if (asked === undefined) {
    say(`Making a clip: ${clipSeconds} s of moving picture with sound, 1280x720`);
    await makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, seconds: clipSeconds });
  }
  const { size } = await stat(path).catch(() => {
    throw new Error(`There is no file at ${path}: give the path of a video, or its http(s) URL`);
  });
  const server = await serveFile(path);
  return { path, sizeBytes: size, ...server };
}

async function fetchCopy(url: string, directory: string, say: (line: string) => void): Promise<DemoInput> {
  say('Fetching a copy of the input, to compare sizes with');
  const response = await fetch(url);
  if (!response.ok || response.body === null)
    throw new Error(`The input's server answered ${response.status}`);
  const path = join(directory, 'input');
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
  return { path, sizeBytes: (await stat(path)).size, url, close: async () => undefined };
}
