import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Command, ffmpegArguments } from '../media/ffmpeg/command.ts';
import { decodingReader, sanitizeLog } from '../media/ffmpeg/decoding.ts';
import { classifyFailure } from '../media/ffmpeg/ffmpeg-errors.ts';
import { EncodeError, type RunOptions, type RunRecord } from '../media/ffmpeg/ports.ts';
import { commandProgress, type FfmpegProgress, isTooLong, progressParser } from '../media/ffmpeg/progress.ts';
import { leavesLanguageTags, writeLanguageTags } from '../media/outputs/language-tags.ts';
import { logTail } from './capture.ts';
import { type RunningProcess, startProcess, startWatchdog, type Watchdog } from './process.ts';
import type { CompleteSettings } from './settings.ts';
import { editFile } from './workspace.ts';

const maxLogBytes = 64 * 1024;

/** `onReport` receives the raw progress reports; for this folder only. */
export type RunCommandOptions = RunOptions & { onReport?: (report: FfmpegProgress) => void };

/** Runs one command. Only exit code 0 is success. See `Encoder.run`. */
export async function runCommand(
  settings: CompleteSettings,
  command: Command,
  options: RunCommandOptions,
): Promise<RunRecord> {
  options.signal.throwIfAborted();
  const timeLimitSeconds = Math.max(0, options.timeLimitSeconds);
  const cpuCount = availableParallelism();
  const argumentList = ffmpegArguments(command, {
    ...settings.encoderLimits,
    cpuCount,
    // A backstop: the watchdog ends a run first, with a better error.
    maxCpuSeconds: Math.ceil(timeLimitSeconds * cpuCount) + 10,
  });
  const remote = command.inputs.filter(({ isRemote }) => isRemote).map(({ path }) => path);
  const { directory } = options;
  const process = startProcess({ path: settings.ffmpegPath, arguments: argumentList, directory, remote }, settings);
  const watchdog = startWatchdog(process, { ...options, timeLimitSeconds, graceSeconds: settings.graceSeconds });
  const log = logTail(maxLogBytes);
  const reader = decodingReader();
  process.stderr.setEncoding('utf8').on('data', (text: string) => log.add(Buffer.from(reader.keep(text))));
  followProgress(process, watchdog, { ...options, command });

  const exit = await process.ended;
  const termination = watchdog.stop();
  log.add(Buffer.from(reader.keep('\n')));
  const record = { arguments: argumentList, log: sanitizeLog(log.text()).trimEnd(), decoding: reader.decoding() };
  options.signal.throwIfAborted();
  if (exit.exitCode === 0 && !termination) {
    await tagLanguages(command, directory);
    return record;
  }
  throw new EncodeError(classifyFailure({ ...exit, termination, log: record.log }), record);
}

/** Completes the files that ffmpeg has left room in. */
async function tagLanguages({ outputArguments }: Command, directory: string): Promise<void> {
  if (!leavesLanguageTags(outputArguments)) return;
  for (const argument of outputArguments) {
    // The prefix of the statistics of two passes is no file.
    if (typeof argument !== 'string' || !argument.startsWith(`${directory}/`) || !existsSync(argument)) continue;
    await using file = await editFile(argument);
    await writeLanguageTags(file);
  }
}

/** Always reads the progress pipe to its end: ffmpeg blocks on an unread pipe after 64 KiB. */
function followProgress(
  process: RunningProcess,
  watchdog: Watchdog,
  {
    command,
    lengthLimit,
    onProgress,
    onReport,
  }: Pick<RunCommandOptions, 'lengthLimit' | 'onProgress' | 'onReport'> & { command: Command },
): void {
  const parse = progressParser();
  const progressOf = commandProgress(command.durationSeconds);
  let last = '';
  process.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    for (const report of parse(chunk)) {
      const position = `${report.seconds} ${report.frames} ${report.bytes}`;
      if (position !== last) watchdog.reportProgress();
      last = position;
      const plannedSeconds = command.durationSeconds;
      if (lengthLimit && plannedSeconds !== undefined && isTooLong(report, { plannedSeconds, ...lengthLimit }))
        watchdog.end({ reason: 'length', seconds: plannedSeconds });
      onReport?.(report);
      onProgress?.(progressOf(report));
    }
  });
}
