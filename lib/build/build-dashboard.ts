import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildDirectory, dashboardDirectory, root } from './places.ts';
import { sourceHash } from './source-hash.ts';
import { writeIfChanged } from './write-if-changed.ts';

/** What the dashboard is made of: of the rest of the project it takes types only, and the client. */
const sources = ['dashboard', 'client', 'package.json', 'package-lock.json'];

/** Builds the dashboard, unless what is there was made of the same sources. Returns the folder. */
export async function buildDashboard(): Promise<string> {
  const hashFile = path.join(buildDirectory, 'dashboard.sha256');
  const [hash, present, page] = await Promise.all([
    sourceHash(root, sources),
    readFile(hashFile, 'utf8').catch(() => undefined),
    readFile(path.join(dashboardDirectory, 'index.html')).catch(() => undefined),
  ]);
  if (hash === present && page !== undefined) return dashboardDirectory;

  // Imported only here: the bundler has no part in a run that finds nothing to do.
  const { build } = await import('vite');
  const fresh = path.join(buildDirectory, `dashboard.${process.pid}`);
  await mkdir(buildDirectory, { recursive: true });
  await build({
    configFile: path.join(root, 'dashboard', 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh },
  });
  await rm(dashboardDirectory, { recursive: true, force: true });
  await rename(fresh, dashboardDirectory);
  await writeIfChanged(hashFile, Buffer.from(hash));
  return dashboardDirectory;
}
