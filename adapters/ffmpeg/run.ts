import { availableParallelism } from 'node:os';
import type { Command } from '../../core/media/command.ts';
import { EncodeError } from '../../core/media/encode-error.ts';
import { ffmpegArguments } from '../../core/media/ffmpeg-arguments.ts';
import { classifyFailure } from '../../core/media/ffmpeg-errors.ts';
import { cleanLog } from '../../core/media/ffmpeg-log.ts';
import type { RunOptions, RunRecord } from '../../core/media/ports.ts';
import { commandProgress, type ProgressReport, progressReader } from '../../core/media/progress.ts';
import { logTail } from './log-tail.ts';
import { type RunningProcess, startProcess } from './process.ts';
import type { CompleteSettings } from './settings.ts';
import { type Watch, watch } from './watch.ts';

const logBytes = 64 * 1024;

/** A caller inside this folder may read the reports as they are. */
export type RunCommandOptions = RunOptions & { onReport?: (report: ProgressReport) => void };

/** Runs one command to its end; success is the exit code 0 and nothing else. See `Encoder.run`. */
export async function runCommand(
  settings: CompleteSettings,
  command: Command,
  options: RunCommandOptions,
): Promise<RunRecord> {
  options.signal.throwIfAborted();
  const timeLimitSeconds = Math.max(0, options.timeLimitSeconds);
  const argumentList = ffmpegArguments(command, {
    ...settings.bounds,
    // Only a second net: the wall clock ends a run first, and says so better.
    cpuSeconds: Math.ceil(timeLimitSeconds * availableParallelism()) + 10,
  });
  const process = startProcess({
    path: settings.ffmpegPath,
    arguments: argumentList,
    directory: options.directory,
    limits: settings.limits,
    libraryPath: settings.libraryPath,
  });
  const watching = watch(process, { ...options, timeLimitSeconds, graceSeconds: settings.graceSeconds });
  const log = logTail(logBytes);
  process.stderr.on('data', log.add);
  followProgress(process, watching, { ...options, command });

  const exit = await process.ended;
  const endedBy = watching.stop();
  const record = { arguments: argumentList, log: cleanLog(log.text()) };
  options.signal.throwIfAborted();
  if (exit.exitCode === 0 && !endedBy) return record;
  throw new EncodeError(classifyFailure({ ...exit, endedBy, log: record.log }), record);
}

/** Reads the progress pipe to its end, listened to or not: an unread pipe would stop ffmpeg at 64 KiB. */
function followProgress(
  process: RunningProcess,
  watching: Watch,
  {
    command,
    onProgress,
    onReport,
  }: Pick<RunCommandOptions, 'onProgress' | 'onReport'> & { command: Command },
): void {
  const read = progressReader();
  const progressOf = commandProgress(command.durationSeconds);
  let last = '';
  process.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    for (const report of read(chunk)) {
      const position = positionOf(report);
      if (position !== last) watching.advanced();
      last = position;
      onReport?.(report);
      onProgress?.(progressOf(report));
    }
  });
}

function positionOf({ seconds, frames, bytes }: ProgressReport): string {
  return `${seconds} ${frames} ${bytes}`;
}
