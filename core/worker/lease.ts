import { addMs, durations } from '../jobs/durations.ts';
import type { StepsInBucket } from '../jobs/job-result.ts';
import type { Clock, JobTable } from '../jobs/ports.ts';
import { overallProgress } from '../jobs/progress.ts';
import { longJobsQueue } from '../jobs/queues.ts';
import { holdsLease, type Job, type JobIn } from '../jobs/record.ts';
import type { JobStage } from '../jobs/states.ts';
import { addCompletedSteps, heartbeat, mayRequeue, needsRenewal } from '../jobs/transitions.ts';
import type { ProgressReport } from './worker-context.ts';

/** The progress that the next heartbeat writes. */
type PendingProgress = Pick<
  JobIn<'processing'>,
  'stage' | 'progress' | 'estimatedEndAt' | 'chunking' | 'workers' | 'queue'
> & { shares?: readonly number[] | undefined; completedSteps?: StepsInBucket | undefined };

/** A worker's lease of its job. Until it is released, every write of this worker is a heartbeat, one at a time. */
export type Lease = {
  /** Aborts with `LeaseLostError` when the job was cancelled or another worker claimed it. */
  signal: AbortSignal;
  /** Sets the progress that the next heartbeat writes. */
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
  let pending = progressOfClaim(claimed);

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

function progressOfClaim({ stage, progress, queue }: JobIn<'processing'>): PendingProgress {
  return { stage, progress, ...(queue === undefined ? {} : { queue }) };
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
