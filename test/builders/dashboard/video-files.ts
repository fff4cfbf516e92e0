import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPlayableVideo } from './dashboard.ts';

export type VideoFiles = {
  /** The path of a video on the user's disk with this name. */
  called(name: string): Promise<string>;
  remove(): Promise<void>;
};

/** A folder for videos. The caller removes it. */
export async function aFolderOfVideos(): Promise<VideoFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'media-jobs-videos-'));
  return {
    async called(name) {
      const path = join(folder, name);
      await copyFile(await aPlayableVideo(), path);
      return path;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
