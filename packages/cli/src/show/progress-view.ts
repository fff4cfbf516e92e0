import type { JobResource } from '@media-jobs/core/api';
import { isTerminalState } from '@media-jobs/core/api';
import { MultiBar, type SingleBar } from 'cli-progress';
import { jobName } from '../formatting/job-name.ts';
import { sanitizeLine } from './sanitize.ts';

/** Progress of one job, upload or download. */
export type Progress = {
  /** Identifies the item between updates. */
  key: string;
  label: string;
  /** 0 to 100. */
  percent: number;
  /** One word, such as `uploading`. */
  activity: string;
  /** Changes with every update, such as the bytes sent. */
  detail?: string;
  isDone: boolean;
};

export type ProgressView = { show(progress: Progress): void; end(): void };

export type OutputStream = NodeJS.WritableStream & {
  isTTY?: boolean;
  rows?: number;
  columns?: number;
};

/** Progress bars on a terminal, else lines. */
export function createProgressView(output: OutputStream): ProgressView {
  return output.isTTY ? progressBars(output) : progressLines((line) => output.write(`${line}\n`));
}

export const silentProgressView: ProgressView = { show: () => undefined, end: () => undefined };

/** A job as a row of the view: its stage, or its state once it has ended. */
export function jobProgress({ jobId, progress, state, stage, request }: JobResource): Progress {
  const isDone = isTerminalState(state);
  return {
    key: jobId,
    label: `${jobName({ request })} (${jobId})`,
    percent: progress,
    activity: isDone ? state : stage,
    isDone,
  };
}

/** One line per item whenever its activity changes. */
export function progressLines(write: (line: string) => void): ProgressView {
  const lastActivities = new Map<string, string>();
  return {
    show: ({ key, label, percent, activity }) => {
      if (lastActivities.get(key) === activity) return;
      lastActivities.set(key, activity);
      write(progressLine({ label, percent, activity }));
    },
    end: () => undefined,
  };
}

/** Rows of a terminal that bars do not use: the prompt above and the line below. */
const reservedRows = 3;

/** One bar per unfinished item, as many as fit on the terminal. A finished item becomes a line above the bars. */
export function progressBars(terminal: OutputStream): ProgressView {
  const bars = new Map<string, SingleBar>();
  const screen = new MultiBar({
    format: '  [{bar}] {roundedPercent} %  {activity}  {detail}{label}',
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    barsize: Math.min(30, Math.floor((terminal.columns || 80) / 3)),
    hideCursor: true,
    clearOnComplete: true,
    stream: terminal,
  });
  const draw = ({ key, percent, label, activity, detail }: Progress) => {
    const bar = bars.get(key);
    const values = {
      roundedPercent: formatPercent(percent),
      label: sanitizeLine(label),
      activity,
      detail: detail === undefined ? '' : `${detail}  `,
    };
    if (bar !== undefined) bar.update(percent, values);
    else if (bars.size < (terminal.rows || 24) - reservedRows) {
      bars.set(key, screen.create(100, percent, values));
    }
  };
  const finish = (progress: Progress) => {
    screen.log(`${progressLine(progress)}\n`);
    const bar = bars.get(progress.key);
    if (bar !== undefined) screen.remove(bar);
    bars.delete(progress.key);
  };
  const finished = new Set<string>();
  return {
    show: (progress) => {
      if (finished.has(progress.key)) return;
      if (!progress.isDone) return draw(progress);
      finished.add(progress.key);
      finish(progress);
    },
    end: () => {
      // `stop` does not write the last logged lines; `update` does.
      screen.update();
      screen.stop();
    },
  };
}

function progressLine({ label, percent, activity }: Pick<Progress, 'label' | 'percent' | 'activity'>): string {
  return `  ${formatPercent(percent)} %  ${activity}  ${sanitizeLine(label)}`;
}

function formatPercent(percent: number): string {
  return String(Math.floor(percent)).padStart(3);
}
