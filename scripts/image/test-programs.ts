import { execFile, spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildDirectory, root } from '../../lib/build/paths.ts';
import type { Container } from './engine.ts';
import { runTests } from './run-tests.ts';

/** Runs commands on this machine. */
const thisMachine: Container = {
  start: ([program = '', ...args], { environment, directory } = {}) =>
    spawn(program, args, { env: { ...process.env, ...environment }, cwd: directory }),
  close: async () => {},
};

/**
 * Unpacks the image's ffmpeg for `amd64` or `arm64` without an image, and runs tests with it: without `testFiles`, every
 * recipe once.
 *
 * @param options.vmaf the program `vmaf` for that architecture
 * @throws Error if the packages cannot be downloaded or a test fails
 */
export async function testPrograms(
  architecture: string,
  { vmaf, testFiles }: { vmaf?: string | undefined; testFiles: readonly string[] },
): Promise<void> {
  const directory = path.join(buildDirectory, 'programs', architecture);
  const script = path.join(root, 'scripts/image/unpack-programs.sh');
  const args = [script, architecture, directory, ...(vmaf === undefined ? [] : [vmaf])];
  const { stdout } = await promisify(execFile)('sh', args, { maxBuffer: 64 * 1024 * 1024 });
  console.log(`${architecture.padEnd(15)} ${stdout.trim().split('\n').at(-1)}`);
  const programs: Record<string, string> = {};
  for (const name of ['ffmpeg', 'ffprobe', 'vmaf']) {
    const program = path.join(directory, 'bin', name);
    const exists = await access(program).then(
      () => true,
      () => false,
    );
    if (exists) programs[`${name.toUpperCase()}_PATH`] = program;
  }
  await runTests(
    thisMachine,
    testFiles.length > 0 ? testFiles : ['test/recipes/smoke.full.test.ts'],
    programs,
  );
}
