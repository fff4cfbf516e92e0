import type { Worker } from '@media-jobs/video/decide';
import { type RunTask, runTask } from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import { maxOutputFps } from '@media-jobs/video/media';
import { addMs, durations } from '../jobs/durations.ts';
import type { Chunking, StepsInBucket } from '../jobs/job-result.ts';
import type { Clock, JobTable } from '../jobs/ports.ts';
import { encodedFraction, overallProgress } from '../jobs/progress.ts';
import { longJobsQueue } from '../jobs/queues.ts';
import { holdsLease, type Job, type JobIn } from '../jobs/record.ts';
import type { JobStage } from '../jobs/states.ts';
import { addCompletedSteps, heartbeat, mayRequeue, needsRenewal, type PendingProgress } from '../jobs/transitions.ts';
import { hasCostLimit } from '../jobs/usage.ts';
import { affordableMs, exceededCost } from '../pricing/cost-limit.ts';
import type { PricedStage } from '../pricing/region-prices.ts';
import type { JobPorts } from './ports.ts';

export type ProgressReport = {
  stage: JobStage;
  /** The completed share of the stage, from 0 to 1. */
  fraction: number;
  /** Wall seconds until the encoding ends, by ffmpeg's estimate. */
  remainingSeconds?: number;
  chunking?: Chunking;
  /** Who does each step, once decided. */
  workers?: (Worker | null)[];
  /** The share of each step in the work, once it is forecast. */
  shares?: readonly number[];
  /** Steps whose outputs are stored: recorded at once. */
  completedSteps?: StepsInBucket;
};

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

/** A worker's lease of its job. Until it is released, every write of this worker is a heartbeat, one at a time. */
export type Lease = {
  /** Aborts with `LeaseLostError` when the job was cancelled or another worker claimed it. */
  signal: AbortSignal;
  report(progress: ProgressReport): void;
  /** The job counts as a long one: the next heartbeat writes its queue. */
  markLong(): void;
  stage(): JobStage;
  /** Stops the heartbeats; returns the record as this worker last wrote it, with the latest progress. */
  release(): Promise<JobIn<'processing'>>;
};

/**
 * Renews the lease by a heartbeat every 2 s: a consistent read, and a write if the lease needs one, or for progress if the
 * last write was 4 s ago. In the last attempt a new stage is written at once: if the worker is lost, the error names it.
 */
export function holdLease({ jobs, clock }: { jobs: JobTable; clock: Clock }, claimed: JobIn<'processing'>): Lease {
  let record = claimed;
  const stageMs: NonNullable<Job['stageMs']> = {};
  const withStages = <J extends Job>(job: J): J => ({ ...job, stageMs: { ...stageMs } });
  const { stage, progress, queue } = claimed;
  let pending: PendingProgress = { stage, progress, ...(queue && { queue }) };

  const isLastAttempt = !mayRequeue(claimed);

  const needsWrite = () => {
    const now = clock.now();
    if (pending.completedSteps !== undefined) return true;
    if (pending.queue !== record.queue || needsRenewal(record, now)) return true;
    if (isLastAttempt && pending.stage !== record.stage) return true;
    const hasProgress = pending.stage !== record.stage || pending.progress > record.progress;
    return hasProgress && now.getTime() - Date.parse(record.updatedAt) >= durations.progressMs;
  };
  const { signal, stop, beatNow } = startHeartbeat({
    clock,
    jobId: claimed.jobId,
    async beat({ lose }) {
      const stored = await jobs.get(record);
      if (!holdsLease(claimed.leaseId, stored)) return lose();
      record = withStages(stored);
      if (!needsWrite()) return;
      const { completedSteps } = pending;
      const change = heartbeat(record, { ...pending, now: clock.now() });
      const result = await jobs.write(change);
      if (result.written) {
        record = change.job;
        if (pending.completedSteps === completedSteps) pending = { ...pending, completedSteps: undefined };
      }
      // Under the same lease, an earlier write of this worker took effect late: the next heartbeat reads it.
      else if (!holdsLease(claimed.leaseId, result.current)) lose();
    },
    // An outage of the table must not cost the work. Whoever takes the job meanwhile, the guards of later writes hold.
    onError: () => undefined,
  });

  return {
    signal,
    report({ stage, fraction, remainingSeconds, ...decided }) {
      const { chunking, workers, shares, completedSteps } = { ...pending, ...withoutUndefined(decided) };
      const progress = Math.max(pending.progress, overallProgress(stage, fraction));
      const { queue } = pending;
      stageMs[stage] ??= clock.now().getTime() - Date.parse(claimed.claimedAt);
      pending = {
        stage,
        progress,
        ...(queue === undefined ? {} : { queue }),
        ...(chunking === undefined ? {} : { chunking }),
        ...(workers === undefined ? {} : { workers }),
        ...(shares === undefined ? {} : { shares }),
        completedSteps,
      };
      if (remainingSeconds !== undefined) pending.estimatedEndAt = addMs(clock.now(), remainingSeconds * 1000);
      if (decided.completedSteps !== undefined || (isLastAttempt && stage !== record.stage)) beatNow();
    },
    markLong: () => {
      pending = { ...pending, queue: longJobsQueue };
    },
    stage: () => pending.stage,
    async release() {
      await stop();
      const { estimatedEndAt: _, completedSteps, shares, ...last } = pending;
      const progress = Math.max(record.progress, last.progress);
      const kept = addCompletedSteps(record, completedSteps);
      return withStages({ ...kept, ...last, ...(shares && { shares: [...shares] }), progress });
    },
  };
}

function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** The reason of an aborted signal: the job was cancelled, or another worker holds its lease. */
export class LeaseLostError extends Error {
  constructor(jobId: string, cause?: unknown) {
    super(`This worker no longer holds the lease of job ${jobId}`, { cause });
    this.name = 'LeaseLostError';
  }
}

export type Heartbeat = {
  /** Aborts with `LeaseLostError` once `lose` was called. */
  signal: AbortSignal;
  lose(cause?: unknown): void;
  /** Ends the wait before the next beat. */
  beatNow(): void;
  /** Starts no further beat; resolves when the current one has ended. */
  stop(): Promise<void>;
};

type HeartbeatOptions = {
  clock: Clock;
  jobId: string;
  beat: (heartbeat: Heartbeat) => Promise<void>;
  /** Receives the error of a failed beat, such as a time-out of DynamoDB. The next beat follows in any case. */
  onError: (cause: unknown, heartbeat: Heartbeat) => void;
};

/** Calls `beat` every 2 s, one at a time, until the heartbeat is stopped or the lease is lost. */
export function startHeartbeat({ clock, jobId, beat, onError }: HeartbeatOptions): Heartbeat {
  const lost = new AbortController();
  const stopped = new AbortController();
  let woken = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await clock.sleep(durations.heartbeatMs, AbortSignal.any([stopped.signal, woken.signal]));
      woken = new AbortController();
      if (stopped.signal.aborted) return;
      await beat(heartbeat).catch((cause: unknown) => onError(cause, heartbeat));
    }
  };
  const heartbeat: Heartbeat = {
    signal: lost.signal,
    beatNow: () => woken.abort(),
    lose: (cause) => lost.abort(new LeaseLostError(jobId, cause)),
    async stop() {
      stopped.abort();
      await running;
    },
  };
  const running = run();
  return heartbeat;
}
