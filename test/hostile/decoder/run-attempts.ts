import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { root } from '../../../lib/build/paths.ts';
import { localLauncher } from '../../../lib/local/build-launcher.ts';

/** The launcher of this machine; undefined where it cannot be compiled. */
export const { directory: launcherDirectory } = await localLauncher();

const compile = (name: string, output: string, values: Record<string, string | number>) =>
  promisify(execFile)('cc', [
    ...Object.entries(values).map(([key, value]) => `-D${key}=${JSON.stringify(value)}`),
    ...['-o', output, join(import.meta.dirname, name)],
  ]);

/** A folder with the launcher, as on a kernel that has Landlock or not. */
export async function aLauncher({ landlock }: { landlock: boolean }): Promise<string> {
  if (launcherDirectory === undefined) throw new Error('There is no launcher here');
  if (landlock) return launcherDirectory;
  const directory = await aTemporaryFolder();
  await copyFile(join(launcherDirectory, 'undumpable.node'), join(directory, 'undumpable.node'));
  const real = join(launcherDirectory, 'launcher');
  await compile('kernel-without-landlock.c', join(directory, 'launcher'), { REAL: real });
  return directory;
}

/** As on Lambda and Fargate. A worker with capabilities would be shut to a program without them by these alone. */
const withoutCapabilities = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** What a program in ffmpeg's place reaches: `reached`, or why not, by attempt. */
type Attempts = ReadonlyMap<string, string>;

/**
 * Runs the attempts under a worker that was started as in the image, with the folder of another job beside its own: once
 * with a local input, and once with one at the range proxy of `proxyPort`. Another server has `otherPort`.
 */
export async function runAttempts(
  launcher: string,
  { otherPort, proxyPort }: { otherPort: number; proxyPort: number },
): Promise<{ local: Attempts; remote: Attempts }> {
  const disk = await aTemporaryFolder();
  const beside = join(disk, 'job-other');
  await mkdir(beside);
  await writeFile(join(beside, 'input-1'), 'of another owner');
  const programs = await aTemporaryFolder();
  const ffmpegPath = join(programs, 'ffmpeg');
  await compile('attempts.c', ffmpegPath, { BESIDE: beside, OTHER_PORT: otherPort });
  const settings = {
    ffmpegPath,
    ffprobePath: ffmpegPath,
    launcher: { path: join(launcher, 'launcher'), readable: [] },
  };
  const inputs = [{ path: 'input-1' }, { path: `http://127.0.0.1:${proxyPort}/t/input`, isRemote: true }];
  const program = `
    import { ffmpegEncoder, openWorkspace } from '@media-jobs/video/runner';
    const workspace = await openWorkspace(${JSON.stringify(disk)});
    const options = { signal: AbortSignal.timeout(60_000), timeLimitSeconds: 60, stallSeconds: 60 };
    const run = async (input, index) => {
      const directory = await workspace.makeDirectory('step-' + index);
      const command = { inputs: [input], outputArguments: [] };
      const failed = await encoder.run(command, { ...options, directory }).catch((error) => error);
      return failed.runRecord?.log ?? String(failed);
    };
    const encoder = ffmpegEncoder(${JSON.stringify(settings)});
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(inputs)}.map(run))));`;
  const transcode = join(root, 'functions/transcode');
  const node = [process.execPath, `--require=${join(transcode, 'take-credentials.cjs')}`];
  const [command = '', ...args] = [...withoutCapabilities, 'sh', join(transcode, 'start.sh'), ...node];
  const { stdout } = await promisify(execFile)(command, [...args, '--input-type=module', '-e', program], {
    cwd: root,
    env: { PATH: '/usr/bin:/bin', LAUNCHER_DIRECTORY: launcher, AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE', TMPDIR: disk },
  });
  const [local = '', remote = ''] = JSON.parse(stdout) as string[];
  return { local: resultsIn(local), remote: resultsIn(remote) };
}

function resultsIn(log: string): Attempts {
  return new Map([...log.matchAll(/^(.+): (.+)$/gm)].map(([, attempt = '', result = '']) => [attempt, result]));
}
