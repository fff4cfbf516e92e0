import { SingleBar } from 'cli-progress';

export type ProgressView = { show(job: { progress: number; stage: string }): void; end(): void };

/** Shows nothing. */
export const noView: ProgressView = { show: () => undefined, end: () => undefined };

/** A bar with the stage where there is a terminal to draw it on, else a line for each new stage; on stderr. */
export function progressView(): ProgressView {
  if (!process.stderr.isTTY) return stageLines();
  const bar = new SingleBar({
    format: '  [{bar}] {percentage}% {stage}',
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    hideCursor: true,
    stream: process.stderr,
  });
  bar.start(100, 0, { stage: 'queued' });
  return {
    show: ({ progress, stage }) => bar.update(progress, { stage }),
    end: () => bar.stop(),
  };
}

function stageLines(): ProgressView {
  let last = '';
  return {
    show: ({ progress, stage }) => {
      if (stage !== last) console.error(`  ${String(progress).padStart(3)}% ${stage}`);
      last = stage;
    },
    end: () => undefined,
  };
}
