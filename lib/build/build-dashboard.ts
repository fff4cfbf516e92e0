import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { docsFiles } from './docs/pages.ts';
import { writeDocs } from './docs/write-docs.ts';
import { buildDirectory, dashboardDirectory, root } from './paths.ts';
import { runScript } from './run-script.ts';
import { sourceHash } from './source-hash.ts';
import { writeIfChanged } from './write-if-changed.ts';

/** Sources of the dashboard, and of the packages that are bundled with it. Its documentation is that of `docsPages`. */
export const dashboardSources = [
  'packages/dashboard/index.html',
  'packages/dashboard/public',
  'packages/dashboard/src',
  'packages/dashboard/vite.config.ts',
  'packages/cli/src/formatting',
  'packages/cli/src/formatting.ts',
  'packages/cli/src/request',
  'packages/client/src',
  'packages/video/src',
  'core',
  'package.json',
  'package-lock.json',
];

/** Builds the dashboard and the documentation beside it, unless the existing build was made from the same sources. Returns its folder. */
export async function buildDashboard(): Promise<string> {
  const hashFile = path.join(buildDirectory, 'dashboard.sha256');
  const [hash, present, page] = await Promise.all([
    sourceHash(root, [...dashboardSources, ...docsFiles()]),
    readFile(hashFile, 'utf8').catch(() => undefined),
    readFile(path.join(dashboardDirectory, 'index.html')).catch(() => undefined),
  ]);
  if (hash === present && page !== undefined) return dashboardDirectory;

  const fresh = path.join(buildDirectory, `dashboard.${process.pid}`);
  await mkdir(buildDirectory, { recursive: true });
  await runVite(['build', '--outDir', fresh, '--logLevel', 'warn']);
  await writeDocs(path.join(fresh, 'docs'));
  await rm(dashboardDirectory, { recursive: true, force: true });
  await rename(fresh, dashboardDirectory);
  await writeIfChanged(hashFile, Buffer.from(hash));
  return dashboardDirectory;
}

/**
 * Runs Vite in its own process, since it reads NODE_ENV: under a test runner it would bundle the development build of
 * React.
 *
 * @throws Error with Vite's stderr
 */
function runVite(args: readonly string[]): Promise<void> {
  const bin = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const config = ['--config', path.join(root, 'packages/dashboard/vite.config.ts')];
  return runScript([bin, ...args, ...config], { NODE_ENV: 'production' });
}
