import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../lib/build/paths.ts';
import type { Container } from './engine.ts';

/** The matrix of recipes, the hostile files and the small selection of chunks. */
const defaultFiles = ['test/recipes', 'test/chunking', 'test/adapters/ffmpeg', 'test/recipes/*.full.test.ts'];

/** The programs of the image. The tests make their clips and measure results with them too. */
const programsOfImage = {
  FFMPEG_PATH: '/opt/bin/ffmpeg',
  FFPROBE_PATH: '/opt/bin/ffprobe',
  VMAF_PATH: '/opt/bin/vmaf',
};

/**
 * Runs tests of the repository, which is mounted read-only, in the image.
 *
 * @param files empty for `defaultFiles`
 * @param programs the paths of the programs, as environment variables
 * @throws Error if a test fails
 */
export async function runTests(
  container: Container,
  files: readonly string[],
  programs: Record<string, string> = programsOfImage,
): Promise<void> {
  const selected = files.length === 0 ? defaultFiles : files;
  const isFull = (file: string) => file.includes('.full.test.');
  const runs = [
    { mode: [], files: selected.filter((file) => !isFull(file)) },
    { mode: ['--mode', 'full'], files: selected.filter(isFull).map((file) => file.replace(/\*.*$/, '')) },
  ].filter((run) => run.files.length > 0);
  const failed: string[] = [];
  for (const { mode, files: filters } of runs) {
    console.log(`\ntests in the image: ${filters.join(' ')} ${mode.join(' ')}`);
    // --configLoader runner: the default writes a file beside the configuration.
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
    const args = ['run', ...mode, '--configLoader', 'runner', '--reporter', 'verbose', ...filters];
    const code = await execIn(container, ['node', vitest, ...args], { HOME: '/tmp', ...programs });
    if (code !== 0) failed.push(filters.join(' '));
  }
  if (failed.length > 0) throw new Error(`Tests failed in the image: ${failed.join(' ')}`);
}

async function execIn(
  container: Container,
  command: readonly string[],
  environment: Record<string, string>,
): Promise<number | null> {
  // The folder of the packages may be a link.
  const folders = new Set([root, await realpath(path.join(root, 'node_modules'))]);
  const volumes = [...folders].map((folder) => `${folder}:${folder}:ro`);
  const child = container.start(command, { environment, volumes, directory: root });
  child.stdout?.pipe(process.stdout);
  child.stderr?.pipe(process.stderr);
  const [code] = await once(child, 'close');
  return code;
}
