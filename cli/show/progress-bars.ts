import { MultiBar, type SingleBar } from 'cli-progress';
import type { Progress, ProgressView } from './progress-view.ts';
import { sanitizeLine } from './sanitize.ts';

type Terminal = NodeJS.WritableStream & { rows?: number };

/** What else a terminal has to show: the prompt before, and a line after. */
const otherRows = 3;

/** A bar for each thing that is not done, as many as the terminal is high; what is done becomes a line above them. */
export function progressBars(terminal: Terminal): ProgressView {
  const bars = new Map<string, SingleBar>();
  const screen = new MultiBar({
    format: '  [{bar}] {share} %  {note}  {detail}{label}',
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    stream: terminal,
  });
  const draw = ({ key, percent, label, activity, detail }: Progress) => {
    const bar = bars.get(key);
    const share = shareOf(percent);
    const shown = {
      share,
      label: sanitizeLine(label),
      note: activity,
      detail: detail === undefined ? '' : `${detail}  `,
    };
    if (bar !== undefined) bar.update(percent, shown);
    else if (bars.size < (terminal.rows || 24) - otherRows) bars.set(key, screen.create(100, percent, shown));
  };
  const finish = ({ key, percent, label, activity }: Progress) => {
    screen.log(`  ${shareOf(percent)} %  ${activity}  ${sanitizeLine(label)}\n`);
    const bar = bars.get(key);
    if (bar !== undefined) screen.remove(bar);
    bars.delete(key);
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
      // What was logged last is not written by the end itself.
      screen.update();
      screen.stop();
    },
  };
}

function shareOf(percent: number): string {
  return String(Math.floor(percent)).padStart(3);
}
