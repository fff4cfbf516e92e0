import type { CommandProgress } from './ports.ts';

/** One report of ffmpeg's `-progress`: what it says, where it says it. */
export type ProgressReport = {
  /** Media seconds written so far. */
  seconds?: number;
  frames?: number;
  bytes?: number;
  /** Media seconds per second of wall time. */
  speed?: number;
  isLast: boolean;
};

/** Reads the `-progress` output as it arrives: takes a chunk and gives the reports that it completes. */
export function progressParser(): (chunk: string) => ProgressReport[] {
  let unfinished = '';
  let block = new Map<string, string>();
  return (chunk) => {
    const lines = (unfinished + chunk).split('\n');
    unfinished = lines.pop() ?? '';
    const reports: ProgressReport[] = [];
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

/** Turns the reports of one command into its progress: it never falls, and 100 is not its to say. */
export function commandProgress(durationSeconds = 0): (report: ProgressReport) => CommandProgress {
  let percent = 0;
  return ({ seconds = 0, speed }) => {
    const reached = durationSeconds > 0 ? Math.floor((100 * seconds) / durationSeconds) : 0;
    percent = Math.min(99, Math.max(percent, reached));
    if (!speed) return { percent };
    const remainingSeconds = Math.max(0, (durationSeconds - seconds) / speed);
    return { percent, speed, ...(durationSeconds > 0 ? { remainingSeconds } : {}) };
  };
}

function readBlock(block: Map<string, string>): ProgressReport {
  // out_time_ms is in microseconds too, by an old mistake that ffmpeg keeps.
  const microseconds = numberIn(block.get('out_time_us'));
  return {
    ...defined('seconds', microseconds === undefined ? undefined : Math.max(0, microseconds / 1e6)),
    ...defined('frames', numberIn(block.get('frame'))),
    ...defined('bytes', numberIn(block.get('total_size'))),
    ...defined('speed', numberIn(block.get('speed')?.replace(/x$/, ''))),
    isLast: block.get('progress') === 'end',
  };
}

function numberIn(text: string | undefined): number | undefined {
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function defined<Key extends string>(key: Key, value: number | undefined): { [K in Key]?: number } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: number };
}
