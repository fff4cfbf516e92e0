import { aDashboard, type Dashboard } from './dashboard.ts';
import { aFolderOfVideos, type VideoFiles } from './video-files.ts';

/** A dashboard, and what its user has on their own disk. */
export type DashboardWithVideos = Dashboard & { films: VideoFiles };

/** Whoever calls this stops it, and the folder of films goes too. */
export async function aDashboardWithVideos(): Promise<DashboardWithVideos> {
  const [dashboard, films] = await Promise.all([aDashboard(), aFolderOfVideos()]);
  return {
    ...dashboard,
    films,
    async stop() {
      await dashboard.stop();
      await films.remove();
    },
  };
}
