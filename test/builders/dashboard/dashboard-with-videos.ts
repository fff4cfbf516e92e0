import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aDashboard, aPlayableVideo, type Dashboard } from './dashboard.ts';

type DashboardWithVideos = Dashboard & { videoFiles: VideoFiles };

/** A dashboard, and the local video files of its user. The caller stops it, which removes these files too. */
export async function aDashboardWithVideos(): Promise<DashboardWithVideos> {
  const [dashboard, videoFiles] = await Promise.all([aDashboard(), aFolderOfVideos()]);
  return {
    ...dashboard,
    videoFiles,
    async stop() {
      await dashboard.stop();
      await videoFiles.remove();
    },
  };
}

type VideoFiles = {
  /** The path of a video on the user's disk with this name. */
  called(name: string): Promise<string>;
  remove(): Promise<void>;
};

/** A folder for videos. The caller removes it. */
async function aFolderOfVideos(): Promise<VideoFiles> {
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
