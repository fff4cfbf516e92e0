import { type RunTask, runTask } from '@media-jobs/video/encoding';
import { maxOutputFps } from '@media-jobs/video/media';
import { encodedFraction } from '../jobs/progress.ts';
import type { JobPorts } from './ports.ts';
import { remainingSeconds, type WorkerContext } from './worker-context.ts';

/** The position of a step, from 0, in a job of `count` steps; `directory` is where its tasks write. */
type StepPosition = {
  index: number;
  count: number;
  directory: string;
  /** The shares of the steps in the work. */
  shares?: readonly number[] | undefined;
};

/** Runs tasks of one step, and reports their progress as progress of the whole job. */
export function taskRunner(
  { media, clock, stallSeconds, limits }: JobPorts,
  { report, signal, deadline }: WorkerContext,
  { index, count, directory, shares }: StepPosition,
): RunTask {
  return (task, { from, to, isLast }) =>
    runTask(media, task, {
      directory,
      signal,
      timeLimitSeconds: remainingSeconds(clock, deadline),
      stallSeconds,
      lengthLimit: { maxFps: Math.max(maxOutputFps, limits.framesPerSecond) },
      onProgress: ({ percent, remainingSeconds: untilEnd }) =>
        report({
          stage: 'transcoding',
          fraction: encodedFraction({ shares, count }, { index, fraction: from + ((to - from) * percent) / 100 }),
          // ffmpeg estimates the end of its own command: only the estimate of the last command is the job's.
          remainingSeconds: isLast && index === count - 1 ? untilEnd : undefined,
        }),
    });
}
