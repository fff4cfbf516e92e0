import type { Worker } from '@media-jobs/video/decide';
import { type RunTask, runTask } from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import { maxOutputFps } from '@media-jobs/video/media';
import { hasCostLimit } from '../jobs/job-cost.ts';
import type { Chunking, StepsInBucket } from '../jobs/job-result.ts';
import type { Clock } from '../jobs/ports.ts';
import { encodedFraction } from '../jobs/progress.ts';
import type { JobIn } from '../jobs/record.ts';
import type { JobStage } from '../jobs/states.ts';
import { affordableMs, exceededCost } from '../pricing/cost-limit.ts';
import type { PricedStage } from '../pricing/region-prices.ts';
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
  /** Aborts when the lease, the time or the money is gone, or the worker has to stop: its reason says why. */
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

/** A signal that aborts at the deadline, before the platform ends the worker. */
export function timeoutSignal(
  { clock }: { clock: Clock },
  { deadline, cancelled }: { deadline: Date; cancelled: AbortSignal },
): AbortSignal {
  return abortAt(clock, { time: deadline, reason: workerTimeout(), cancelled });
}

/** A signal that aborts once the job has reached its maximum cost; undefined if no worker runs that long. */
export function costSignal(
  { clock, money }: { clock: Clock; money: { stage: PricedStage } },
  job: JobIn<'processing'>,
  cancelled: AbortSignal,
): AbortSignal | undefined {
  if (!hasCostLimit(job)) return undefined;
  const affordable = affordableMs(job, money.stage);
  if (affordable === Number.POSITIVE_INFINITY) return undefined;
  const time = new Date(Date.parse(job.claimedAt) + affordable);
  return abortAt(clock, { time, reason: exceededCost(job), cancelled });
}

/** A signal that aborts at `time` with `reason`, unless `cancelled` has aborted before. */
export function abortAt(
  clock: Clock,
  { time, reason, cancelled }: { time: Date; reason: JobError; cancelled: AbortSignal },
): AbortSignal {
  const expired = new AbortController();
  void clock.sleep(time.getTime() - clock.now().getTime(), cancelled).then(() => {
    if (!cancelled.aborted) expired.abort(reason);
  });
  return expired.signal;
}

/** The end of a job for which one run of a worker is too short. */
export function workerTimeout(): JobError {
  const message = 'The job needs more time than one run of the worker has; use a faster preset or a shorter input.';
  return new JobError('TIMEOUT', message);
}

/** Whether this worker is a function that can leave its job to a Fargate task. */
export function hasTasks(deps: JobPorts): boolean {
  return deps.kind === 'function' && deps.fargate !== undefined;
}
