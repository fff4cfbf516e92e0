import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { classifyFailure } from '../media/ffmpeg/ffmpeg-errors.ts';
import { type ComparisonRecord, EncodeError, type RunOptions, type RunRecord } from '../media/ffmpeg/ports.ts';
import {
  filterCommand,
  rawVideoCommand,
  readFrameScores,
  type VmafComparison,
  vmafArguments,
} from '../media/ffmpeg/vmaf-comparison.ts';
import { type CompleteSettings, captureOutput, runCommand } from './run.ts';

const reportName = 'vmaf.json';

/** Scores a comparison by the program `vmaf`, or without it by ffmpeg's filter. See `Encoder.compare`. */
export async function compareVideos(
  settings: CompleteSettings,
  comparison: VmafComparison,
  options: RunOptions,
): Promise<ComparisonRecord> {
  const directory = await mkdtemp(join(options.directory, 'vmaf-'));
  const { vmafPath } = settings;
  try {
    const runs =
      vmafPath === undefined
        ? [await scoreByFilter(settings, comparison, { ...options, directory })]
        : await scoreByProgram({ ...settings, vmafPath }, comparison, { ...options, directory });
    return { runs, frameScores: readFrameScores(await readFile(join(directory, reportName), 'utf8')) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function scoreByFilter(
  settings: CompleteSettings,
  comparison: VmafComparison,
  options: RunOptions,
): Promise<RunRecord> {
  const command = filterCommand(comparison, { reportName, threads: availableParallelism() });
  return runCommand(settings, command, options);
}

/** Two runs of ffmpeg decode the videos into named pipes, which the program reads. */
async function scoreByProgram(
  settings: CompleteSettings & { vmafPath: string },
  comparison: VmafComparison,
  options: RunOptions,
): Promise<RunRecord[]> {
  const { encoded, source, durationSeconds } = comparison;
  const { directory, onProgress: _, ...silent } = options;
  const encodedPath = join(directory, 'encoded.y4m');
  const sourcePath = join(directory, 'source.y4m');
  await promisify(execFile)('mkfifo', [encodedPath, sourcePath], { env: { PATH: '/usr/bin:/bin' } });
  const reportPath = join(directory, reportName);
  const args = vmafArguments(comparison, { encodedPath, sourcePath, reportPath }, availableParallelism());
  return runTogether(options.signal, (signal) => [
    runCommand(settings, rawVideoCommand(encoded, { path: encodedPath, durationSeconds }), {
      ...silent,
      directory,
      signal,
    }),
    runCommand(settings, rawVideoCommand(source, { path: sourcePath, durationSeconds }), { ...options, signal }),
    runVmaf(settings, args, { ...options, signal }),
  ]);
}

/** Processes that wait for one another: the first failure ends the others, and is thrown when all have ended. */
async function runTogether<Result>(
  outer: AbortSignal,
  start: (signal: AbortSignal) => Promise<Result>[],
): Promise<Result[]> {
  const failed = new AbortController();
  const running = start(AbortSignal.any([outer, failed.signal]));
  for (const each of running) each.catch((cause: unknown) => failed.abort(cause));
  await Promise.allSettled(running);
  outer.throwIfAborted();
  failed.signal.throwIfAborted();
  return Promise.all(running);
}

async function runVmaf(
  settings: CompleteSettings & { vmafPath: string },
  args: string[],
  { directory, signal, timeLimitSeconds }: RunOptions,
): Promise<RunRecord> {
  const call = { path: settings.vmafPath, arguments: args, directory };
  // No library path: the program has its libraries inside.
  const finished = await captureOutput(call, { ...settings, libraryPath: undefined, signal, timeLimitSeconds });
  const record = { arguments: args, log: finished.log };
  // The program ends with 0 after it read only one of two frames.
  if (finished.exitCode === 0 && !/problem|error/i.test(finished.log)) return record;
  throw new EncodeError(classifyFailure(finished), record);
}
