import * as z from 'zod';

/** What ffmpeg read of the inputs of a command, by its log. */
export const decodingSchema = z.object({
  /** Those that were read. `damaged` counts packets with a decode error and frames with concealed errors. */
  streams: z.array(
    z.object({
      input: z.int().min(0),
      kind: z.enum(['video', 'audio']),
      packets: z.int().min(0),
      /** Of a stream that was decoded. */
      frames: z.int().min(0).optional(),
      /** Of audio. */
      samples: z.int().min(0).optional(),
      damaged: z.int().min(0),
    }),
  ),
  /** The structure of a container is broken, so packets may be missing. */
  hasContainerErrors: z.boolean(),
});

export type Decoding = z.infer<typeof decodingSchema>;

const statistics =
  /^\[in#[^\]]*\] \[verbose\] {3}Input stream #(\d+):(\d+) \((video|audio)\): (\d+) packets read \([^)]*\);(?: (\d+) frames decoded; (\d+) decode errors(?: \((\d+) samples\))?)?/;
const corruptFrame = /^\[[av]ist#(\d+):(\d+)\/.*\[warning\] corrupt decoded frame/;
const repetition = /^ {4}Last message repeated (\d+) times/;
const containerError =
  /^\[(?:mov|matroska|mpegts|mpeg|avi|flv|ogg|asf|mxf)[\w,]* @ [^\]]*\] \[error\]|\[warning\] corrupt input packet|partial file/;

/** Reads a log at level verbose as it arrives. `keep` returns what remains for the job's log: level info and above. */
export function decodingReader(): { keep(chunk: string): string; decoding(): Decoding } {
  const corrupt = new Map<string, number>();
  const streams: (Decoding['streams'][number] & { name: string })[] = [];
  let hasContainerErrors = false;
  let unfinished = '';
  let last: { name?: string | undefined; isKept: boolean } = { isKept: true };
  const count = (name: string, times: number) => corrupt.set(name, (corrupt.get(name) ?? 0) + times);
  const readLine = (line: string): boolean => {
    const repeated = repetition.exec(line);
    if (repeated) {
      if (last.name !== undefined) count(last.name, Number(repeated[1]));
      return last.isKept;
    }
    const [, input, stream] = corruptFrame.exec(line) ?? [];
    const name = input === undefined ? undefined : `${input}:${stream}`;
    if (name !== undefined) count(name, 1);
    hasContainerErrors ||= containerError.test(line);
    const [, ofInput, number, kind, packets, frames, errors, samples] = statistics.exec(line) ?? [];
    if (kind === 'video' || kind === 'audio') {
      const of = { name: `${ofInput}:${number}`, input: Number(ofInput), kind } as const;
      const decoded = frames === undefined ? {} : { frames: Number(frames) };
      const played = samples === undefined ? {} : { samples: Number(samples) };
      streams.push({ ...of, packets: Number(packets), damaged: Number(errors ?? 0), ...decoded, ...played });
    }
    last = { name, isKept: !line.includes('[verbose] ') };
    return last.isKept;
  };
  return {
    keep(chunk) {
      const lines = (unfinished + chunk).split('\n');
      unfinished = lines.pop() ?? '';
      return lines
        .filter(readLine)
        .map((line) => `${line}\n`)
        .join('');
    },
    decoding: () => ({
      streams: streams.map(({ name, ...stream }) => {
        const { packets, frames = packets, damaged: errors } = stream;
        const withoutFrame = Math.min(errors, Math.max(0, packets - frames));
        // A packet with an error may have a frame all the same, whose errors are concealed.
        const damaged = Math.max(errors, withoutFrame + (corrupt.get(name) ?? 0));
        return { ...stream, damaged: Math.min(packets, damaged) };
      }),
      hasContainerErrors,
    }),
  };
}

/** Removes control characters. ffmpeg prints the tags of a file, and a hostile file may put terminal commands there. */
export function sanitizeLog(log: string): string {
  return log.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, '');
}

const levelPattern = /^(?:\[[^\]]*\] )*?\[(panic|fatal|error|warning|info|verbose|debug|trace)\]/;

/** The level of a line that ffmpeg wrote with `-loglevel level+…`. A line of a library's own logger has none. */
function levelOf(line: string): string | undefined {
  return levelPattern.exec(line)?.[1];
}

const errorLevels = ['panic', 'fatal', 'error'];

/**
 * The lines of a log that report errors: those of ffmpeg at its error levels, with `warning` at that level too, and those
 * without a level. Left out is all that quotes tags of a file: lines of level info, and indented lines, which continue them.
 */
export function diagnosticLines(log: string, level: 'error' | 'warning' = 'error'): string {
  const levels: readonly (string | undefined)[] = [undefined, level, ...errorLevels];
  return log
    .split('\n')
    .filter((line) => levels.includes(levelOf(line)) && !/^\s/.test(line))
    .join('\n');
}

/** ffmpeg's last error, for display: no control characters, no paths, at most 200 characters. */
export function lastErrorLine(log: string): string | undefined {
  const lines = log
    .split(/[\r\n]+/)
    .map(clean)
    .filter((line) => line !== '');
  const errors = lines.filter((line) => errorLevels.includes(levelOf(line) ?? ''));
  const line = (errors.length > 0 ? errors : lines).at(-1);
  return line?.replace(/^(\[[^\]]*\] ?)+/, '').slice(0, 200) || undefined;
}

function clean(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/(?:\/[^\s/'":]+)+\/?/g, '<path>')
    .trim();
}

/** Progress of one command. `percent` never decreases and is at most 99 until the run has resolved. */
export type CommandProgress = {
  percent: number;
  /** Media seconds encoded per second of wall time. */
  speed?: number;
  /** Estimated wall seconds until this command ends. */
  remainingSeconds?: number;
};

/** One report of ffmpeg's `-progress`. Unknown values are missing. */
export type FfmpegProgress = {
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
