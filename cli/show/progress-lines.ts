import type { ProgressView } from './progress-view.ts';
import { sanitizeLine } from './sanitize.ts';

/** Where nothing can be drawn: a line for each thing whenever what is done with it changes. */
export function progressLines(write: (line: string) => void): ProgressView {
  const last = new Map<string, string>();
  return {
    show: ({ key, label, percent, activity }) => {
      if (last.get(key) === activity) return;
      last.set(key, activity);
      write(`  ${String(Math.floor(percent)).padStart(3)} %  ${activity}  ${sanitizeLine(label)}`);
    },
    end: () => undefined,
  };
}
