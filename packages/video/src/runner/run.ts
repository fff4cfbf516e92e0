import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { createInterface } from 'node:readline';
import { type Command, type EncoderLimits, ffmpegArguments } from '../media/ffmpeg/command.ts';
import { classifyFailure } from '../media/ffmpeg/ffmpeg-errors.ts';
import {
  commandProgress,
  decodingReader,
  type FfmpegProgress,
  isTooLong,
  progressParser,
  sanitizeLog,
} from '../media/ffmpeg/ffmpeg-output.ts';
import { EncodeError, type Encoder, type RunOptions, type RunRecord } from '../media/ffmpeg/ports.ts';
import { vmafFilter } from '../media/ffmpeg/vmaf-comparison.ts';
import { leavesLanguageTags, writeLanguageTags } from '../media/outputs/language-tags.ts';
import {
  type Exit,
  type ProcessLimits,
  type ProcessSettings,
  type ProgramCall,
  type RunningProcess,
  startProcess,
  startWatchdog,
  type Termination,
  type Watchdog,
} from './process.ts';
import { editFile } from './workspace.ts';

/** `onReport` receives the raw progress reports; for this folder only. */
type RunCommandOptions = RunOptions & { onReport?: (report: FfmpegProgress) => void };

/** Runs one command. Only exit code 0 is success. See `Encoder.run`. */
export async function runCommand(
  settings: CompleteSettings,
  command: Command,
  { directory, ...options }: RunCommandOptions,
): Promise<RunRecord> {
  const timeLimitSeconds = Math.max(0, options.timeLimitSeconds);
  const cpuCount = availableParallelism();
  const argumentList = ffmpegArguments(command, {
    ...settings.encoderLimits,
    cpuCount,
    // A backstop: the watchdog ends a run first, with a better error.
    maxCpuSeconds: Math.ceil(timeLimitSeconds * cpuCount) + 10,
  });
  const remote = command.inputs.filter(({ isRemote }) => isRemote).map(({ path }) => path);
  const reader = decodingReader();
  const finished = await runProgram(
    { path: settings.ffmpegPath, arguments: argumentList, directory, remote },
    { ...settings, ...options, timeLimitSeconds },
    { keep: reader.keep, follow: (process, watchdog) => followProgress(process, watchdog, { ...options, command }) },
  );
  const record = { arguments: argumentList, log: sanitizeLog(finished.log).trimEnd(), decoding: reader.decoding() };
  if (finished.exitCode === 0 && !finished.termination) {
    await tagLanguages(command, directory);
    return record;
  }
  throw new EncodeError(classifyFailure({ ...finished, log: record.log }), record);
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
  { command, lengthLimit, onProgress, onReport }: Omit<RunCommandOptions, 'directory'> & { command: Command },
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

const maxStdoutBytes = 4 * 1024 * 1024;
const maxLogBytes = 64 * 1024;

type ProgramOptions = ProcessSettings & { signal: AbortSignal; timeLimitSeconds: number; graceSeconds: number };

/** Exit of a program, its termination by the watchdog if any, and the last 64 KiB of its stderr. */
export type FinishedProgram = Exit & { termination: Termination | undefined; log: string };

/** Runs a short program and returns its stdout. Kills a program that writes more than 4 MiB. */
export async function captureOutput(
  call: ProgramCall,
  options: ProgramOptions,
): Promise<FinishedProgram & { stdout: string }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const follow = (process: RunningProcess) =>
    void process.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxStdoutBytes) process.kill('SIGKILL');
      else chunks.push(chunk);
    });
  const finished = await runProgram(call, options, { follow });
  return { ...finished, stdout: Buffer.concat(chunks).toString('utf8') };
}

/** Runs a program and passes its stdout on line by line, in constant memory. */
export function readLines(
  call: ProgramCall,
  options: ProgramOptions,
  onLine: (line: string) => void,
): Promise<FinishedProgram> {
  const follow = ({ stdout: input }: RunningProcess) =>
    void createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine);
  return runProgram(call, options, { follow });
}

/** `follow` reads its stdout, and `keep` returns what is kept of its stderr: all by default. */
async function runProgram(
  call: ProgramCall,
  options: ProgramOptions & { stallSeconds?: number },
  { follow, keep }: { follow(process: RunningProcess, watchdog: Watchdog): void; keep?(text: string): string },
): Promise<FinishedProgram> {
  const { signal, timeLimitSeconds, stallSeconds = timeLimitSeconds } = options;
  signal.throwIfAborted();
  const process = startProcess(call, options);
  const watchdog = startWatchdog(process, { ...options, stallSeconds });
  const log = logTail(maxLogBytes);
  const add = (text: string) => log.add(Buffer.from(keep ? keep(text) : text));
  process.stderr.setEncoding('utf8').on('data', add);
  follow(process, watchdog);
  const exit = await process.ended;
  const termination = watchdog.stop();
  if (keep) add('\n');
  signal.throwIfAborted();
  return { ...exit, termination, log: log.text() };
}

/** Keeps the last `maxBytes` of a stream as text, cut at the start of a line. */
export function logTail(maxBytes: number): { add(chunk: Buffer): void; text(): string } {
  let kept: Buffer = Buffer.alloc(0);
  let isCut = false;
  return {
    add(chunk) {
      const all = Buffer.concat([kept, chunk]);
      isCut ||= all.length > maxBytes;
      kept = all.subarray(Math.max(0, all.length - maxBytes));
    },
    text() {
      const text = kept.toString('utf8');
      return isCut ? text.slice(text.indexOf('\n') + 1) : text;
    },
  };
}

/** Loading ffmpeg and its libraries from a cold disk takes seconds. */
const queryLimitSeconds = 30;

/** Of each pair of programs, once for all encoders. */
const pairs = new Map<string, () => Promise<boolean>>();

/** Whether ffprobe and ffmpeg are of one version, and so read a file in the same way. */
export function areOneVersion(settings: CompleteSettings): Promise<boolean> {
  const { ffmpegPath, ffprobePath } = settings;
  const pair = `${ffmpegPath}\n${ffprobePath}`;
  const compare = pairs.get(pair) ?? memoizeSuccess(() => compareVersions(settings));
  pairs.set(pair, compare);
  return compare();
}

async function compareVersions(settings: CompleteSettings): Promise<boolean> {
  const paths = [settings.ffmpegPath, settings.ffprobePath];
  const [one, other] = await Promise.all(
    paths.map(async (ffmpegPath) => (await readVersion({ ...settings, ffmpegPath })).split(' ')[2]),
  );
  return one === other;
}

/** What the installed programs are and can do. Each is queried once; a failed query is repeated by the next call. */
export function ffmpegCapabilities(settings: CompleteSettings): Pick<Encoder, 'version' | 'canCompare'> {
  return {
    version: memoizeSuccess(() => readVersion(settings)),
    canCompare: memoizeSuccess(
      async () => settings.vmafPath !== undefined || (await readFilters(settings)).has(vmafFilter),
    ),
  };
}

async function readVersion(settings: CompleteSettings): Promise<string> {
  const output = await queryFfmpeg(settings, ['-version']);
  return output.split('\n', 1)[0]?.replace(/ Copyright.*$/, '') ?? '';
}

async function readFilters(settings: CompleteSettings): Promise<ReadonlySet<string>> {
  const output = await queryFfmpeg(settings, ['-filters']);
  // One line per filter: " TSC vmafmotion        V->V       Calculate the VMAF Motion score."
  return new Set([...output.matchAll(/^ \S+ (\S+) +\S+->\S+ /gm)].map(([, name = '']) => name));
}

async function queryFfmpeg(settings: CompleteSettings, options: string[]): Promise<string> {
  const { ffmpegPath: path } = settings;
  const { exitCode, stdout, log } = await captureOutput(
    { path, arguments: ['-hide_banner', ...options], directory: tmpdir() },
    { ...settings, signal: new AbortController().signal, timeLimitSeconds: queryLimitSeconds },
  );
  if (exitCode === 0) return stdout;
  throw new Error(`ffmpeg does not start from ${path} with ${options.join(' ')} (code ${exitCode}): ${log.trim()}`);
}

function memoizeSuccess<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= load().catch((cause: unknown) => {
      result = undefined;
      throw cause;
    });
    return result;
  };
}

/** Settings of the adapter. Only the two paths are required. */
export type FfmpegSettings = Omit<ProcessSettings, 'limits'> & {
  ffmpegPath: string;
  ffprobePath: string;
  /** The program `vmaf` of libvmaf. Without it, videos are compared by ffmpeg's filter, if it has that. */
  vmafPath?: string | undefined;
  limits?: Partial<ProcessLimits>;
  encoderLimits?: Partial<Omit<EncoderLimits, 'maxCpuSeconds' | 'cpuCount'>>;
  /** Seconds between SIGTERM and SIGKILL. */
  graceSeconds?: number;
  /** Time limit for probing a file. */
  probeSeconds?: number;
};

const gibibyte = 2 ** 30;

/** Completes the settings with the defaults of a worker. */
export function withDefaults(settings: FfmpegSettings) {
  return {
    graceSeconds: 1,
    probeSeconds: 120,
    ...settings,
    // The size of the disk, which is 10 GB in a function, and the memory of the machine.
    limits: { fileSizeBytes: diskBytes(), memoryBytes: totalmem(), ...settings.limits },
    encoderLimits: { maxPixels: 8192 * 8192, maxAllocationBytes: gibibyte, ...settings.encoderLimits },
  };
}

function diskBytes(): number {
  const { blocks, bsize } = statfsSync(tmpdir());
  return blocks * bsize;
}

export type CompleteSettings = ReturnType<typeof withDefaults>;
