import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aDashboard, aPlayableVideo, type Dashboard } from './dashboard.ts';

type DashboardWithVideos = Dashboard & { videoFiles: VideoFiles };

type VideoFiles = {
  /** The path of a video on the user's disk with this name. */
  called(name: string): Promise<string>;
};

/** A dashboard, and the local video files of its user. Stopped after its use, which removes these files too. */
export async function aDashboardWithVideos(): Promise<DashboardWithVideos> {
  const [dashboard, folder] = await Promise.all([aDashboard(), aTemporaryFolder()]);
  const called = async (name: string) => {
    const path = join(folder, name);
    await copyFile(await aPlayableVideo(), path);
    return path;
  };
  return { ...dashboard, videoFiles: { called } };
}
