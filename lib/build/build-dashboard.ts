import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { buildDirectory, dashboardDirectory, root } from './paths.ts';
import { sourceHash } from './source-hash.ts';
import { writeIfChanged } from './write-if-changed.ts';

/** What the dashboard is made of; of core it takes types, which leave nothing in it, and this file. */
export const dashboardSources = [
  'dashboard',
  'client',
  'formatting',
  'core/jobs/request-inputs.ts',
  'package.json',
  'package-lock.json',
];

/** Builds the dashboard, unless what is there was made of the same sources. Returns the folder. */
export async function buildDashboard(): Promise<string> {
  const hashFile = path.join(buildDirectory, 'dashboard.sha256');
  const [hash, present, page] = await Promise.all([
    sourceHash(root, dashboardSources),
    readFile(hashFile, 'utf8').catch(() => undefined),
    readFile(path.join(dashboardDirectory, 'index.html')).catch(() => undefined),
  ]);
  if (hash === present && page !== undefined) return dashboardDirectory;

  const fresh = path.join(buildDirectory, `dashboard.${process.pid}`);
  await mkdir(buildDirectory, { recursive: true });
  await runVite(['build', '--outDir', fresh, '--logLevel', 'warn']);
  await rm(dashboardDirectory, { recursive: true, force: true });
  await rename(fresh, dashboardDirectory);
  await writeIfChanged(hashFile, Buffer.from(hash));
  return dashboardDirectory;
}

/**
 * In a process of its own, since a bundler believes the environment: under a test runner it would bundle React with all
 * its checks.
 *
 * @throws Error with what the bundler said
 */
async function runVite(words: readonly string[]): Promise<void> {
  const bin = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const config = ['--config', path.join(root, 'dashboard', 'vite.config.ts')];
  const vite = spawn(process.execPath, [bin, ...words, ...config], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    vite.once('error', reject);
    vite.once('close', resolve);
  });
  const [complaint, exitCode] = await Promise.all([text(vite.stderr), exited]);
  if (exitCode !== 0) throw new Error(complaint.trim() || `The bundler ended with code ${exitCode}`);
}
