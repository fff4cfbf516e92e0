import { aDashboard, type Dashboard } from './dashboard.ts';
import { aFolderOfFilms, type FilmFiles } from './film-files.ts';

/** A dashboard, and what its user has on their own disk. */
export type DashboardWithFilms = Dashboard & { films: FilmFiles };

/** Whoever calls this stops it, and the folder of films goes too. */
export async function aDashboardWithFilms(): Promise<DashboardWithFilms> {
  const [dashboard, films] = await Promise.all([aDashboard(), aFolderOfFilms()]);
  return {
    ...dashboard,
    films,
    async stop() {
      await dashboard.stop();
      await films.remove();
    },
  };
}
