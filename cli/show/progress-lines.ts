import { plainLine } from './plain-text.ts';
import type { ProgressView } from './progress-view.ts';

/** Where nothing can be drawn: a line for each thing whenever what is done with it changes. */
export function progressLines(write: (line: string) => void): ProgressView {
  const last = new Map<string, string>();
  return {
    show: ({ key, label, percent, note }) => {
      if (last.get(key) === note) return;
      last.set(key, note);
      write(`  ${String(Math.floor(percent)).padStart(3)} %  ${note}  ${plainLine(label)}`);
    },
    end: () => undefined,
  };
}
