import { join } from 'node:path';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { makeClip } from '../../../../lib/local/sample.ts';
import { type ServedFile, serveFile } from './file-server.ts';

const clipSeconds = 10;

/** Makes a clip of 10 s in a directory and serves it. */
export async function servedClip(directory: string): Promise<ServedFile> {
  const path = join(directory, 'clip.mp4');
  await makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, seconds: clipSeconds });
  return serveFile(path);
}
