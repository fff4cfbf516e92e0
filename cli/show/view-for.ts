import type { OutputStream } from '../context/process-context.ts';
import { progressBars } from './progress-bars.ts';
import { progressLines } from './progress-lines.ts';
import type { ProgressView } from './progress-view.ts';

/** Bars where there is a terminal to draw them on, else lines. */
export function createProgressView(output: OutputStream): ProgressView {
  return output.isTTY ? progressBars(output) : progressLines((line) => output.write(`${line}\n`));
}
