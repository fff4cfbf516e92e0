import { aDashboard, type Dashboard } from './dashboard.ts';
import { aFolderOfVideos, type VideoFiles } from './video-files.ts';

/** A dashboard, and the local video files of its user. */
export type DashboardWithVideos = Dashboard & { videoFiles: VideoFiles };

/** The caller stops it, which removes the folder of videos too. */
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
