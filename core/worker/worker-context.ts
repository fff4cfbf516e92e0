import type { Worker } from '@media-jobs/video/decide';
import { type RunTask, runTask } from '@media-jobs/video/encoding';
import { maxOutputFps } from '@media-jobs/video/media';
import type { Chunking } from '../jobs/chunking.ts';
import type { StepsInBucket } from '../jobs/job-result.ts';
import type { Clock } from '../jobs/ports.ts';
import { encodedFraction } from '../jobs/progress.ts';
import type { JobIn } from '../jobs/record.ts';
import type { JobStage } from '../jobs/states.ts';
import type { JobPorts } from './ports.ts';

export type ProgressReport = {
  stage: JobStage;
  /** The completed share of the stage, from 0 to 1. */
  fraction: number;
  /** Wall seconds until the encoding ends, by ffmpeg's estimate. */
  remainingSeconds?: number;
  /** The number of chunks and the reason for it, once decided. */
  chunking?: Chunking;
  /** Who does each step, once decided. */
  workers?: (Worker | null)[];
  /** The share of each step in the work, once it is forecast. */
  shares?: readonly number[];
  /** Steps whose outputs are stored: recorded at once. */
  completedSteps?: StepsInBucket;
};

/** The job that a worker processes. */
export type WorkerContext = {
  job: JobIn<'processing'>;
  report: (progress: ProgressReport) => void;
  /** Aborts when the lease is lost or the deadline has passed. */
  signal: AbortSignal;
  deadline: Date;
};

/** Wall seconds that a command may take until the deadline. */
export function remainingSeconds(clock: Clock, deadline: Date): number {
  return (deadline.getTime() - clock.now().getTime()) / 1000;
}

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
