import type { CommandProgress } from './ports.ts';

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
