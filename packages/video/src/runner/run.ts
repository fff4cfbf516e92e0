import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Command, ffmpegArguments } from '../media/ffmpeg/command.ts';
import { decodingReader, sanitizeLog } from '../media/ffmpeg/decoding.ts';
import { classifyFailure } from '../media/ffmpeg/ffmpeg-errors.ts';
import { type CommandProgress, EncodeError, type RunOptions, type RunRecord } from '../media/ffmpeg/ports.ts';
import { leavesLanguageTags, writeLanguageTags } from '../media/outputs/language-tags.ts';
import { logTail } from './capture.ts';
import { editFile } from './open-file.ts';
import { type RunningProcess, startProcess, startWatchdog, type Watchdog } from './process.ts';
import type { CompleteSettings } from './settings.ts';

const maxLogBytes = 64 * 1024;

/** One report of ffmpeg's `-progress`. Unknown values are missing. */
type FfmpegProgress = {
  /** Media seconds written so far. */
  seconds?: number;
  frames?: number;
  bytes?: number;
  /** Media seconds per second of wall time. */
  speed?: number;
  isLast: boolean;
};

/** Parses the `-progress` output as it arrives: takes a chunk of text and returns the reports that it completes. */
export function progressParser(): (chunk: string) => FfmpegProgress[] {
  let unfinished = '';
  let block = new Map<string, string>();
  return (chunk) => {
    const lines = (unfinished + chunk).split('\n');
    unfinished = lines.pop() ?? '';
    const reports: FfmpegProgress[] = [];
    for (const line of lines) {
      const [key = '', value = ''] = line.split('=', 2);
      block.set(key.trim(), value.trim());
      if (key.trim() !== 'progress') continue;
      reports.push(readBlock(block));
      block = new Map();
    }
    return reports;
  };
}

/** Converts the reports of one command to its progress, which never decreases. 100 is left to the exit of the process. */
export function commandProgress(durationSeconds = 0): (report: FfmpegProgress) => CommandProgress {
  let percent = 0;
  return ({ seconds = 0, speed }) => {
    const current = durationSeconds > 0 ? Math.floor((100 * seconds) / durationSeconds) : 0;
    percent = Math.min(99, Math.max(percent, current));
    if (!speed) return { percent };
    const remainingSeconds = Math.max(0, (durationSeconds - seconds) / speed);
    return { percent, speed, ...(durationSeconds > 0 ? { remainingSeconds } : {}) };
  };
}

/** Fewer frames tell no length: an interval of images may be longer than the whole video. */
const minMeasuredFrames = 250;

/**
 * Whether a run has written far more than planned, since its input is longer than it declares. The slack is what timestamps
 * may miss: the check of the finished file is exact. A run without video reports no frames. `seconds` is the least of all
 * streams, so a video whose audio ends early shows its length by its frames alone.
 */
export function isTooLong(
  { seconds = 0, frames = minMeasuredFrames }: FfmpegProgress,
  { plannedSeconds, maxFps }: { plannedSeconds: number; maxFps: number },
): boolean {
  const maxSeconds = 2 * plannedSeconds + 60;
  return frames >= minMeasuredFrames && (seconds > maxSeconds || frames > maxFps * maxSeconds);
}

function readBlock(block: Map<string, string>): FfmpegProgress {
  // out_time_ms is in microseconds too, a bug that ffmpeg keeps for compatibility.
  const microseconds = parseNumber(block.get('out_time_us'));
  return {
    seconds: microseconds === undefined ? undefined : Math.max(0, microseconds / 1e6),
    frames: parseNumber(block.get('frame')),
    bytes: parseNumber(block.get('total_size')),
    speed: parseNumber(block.get('speed')?.replace(/x$/, '')),
    isLast: block.get('progress') === 'end',
  };
}

function parseNumber(text: string | undefined): number | undefined {
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

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
