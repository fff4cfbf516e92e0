import { aDashboard, type Dashboard } from './dashboard.ts';
import { aFolderOfVideos, type VideoFiles } from './video-files.ts';

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
