import { addMs, durations } from '../../core/jobs/durations.ts';
import { holdsLease } from '../../core/jobs/held-by.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import { overallProgress } from '../../core/jobs/progress.ts';
import type { Chunking, JobIn } from '../../core/jobs/record.ts';
import type { JobStage } from '../../core/jobs/states.ts';
import { heartbeat } from '../../core/jobs/transitions.ts';

/** Thrown into the work, by its signal, once another writer has taken the job from this worker. */
export class LeaseLostError extends Error {
  constructor(jobId: string, cause?: unknown) {
    super(`Job ${jobId} is no longer this worker's`, { cause });
    this.name = 'LeaseLostError';
  }
}

type Report = {
  stage: JobStage;
  /** From 0 to 1. */
  fraction: number;
  /** Until the encoding ends, where the encoder knows. */
  remainingSeconds?: number | undefined;
  /** In how many chunks the video is encoded, once that is decided. */
  chunking?: Chunking;
};

type Reported = Pick<JobIn<'processing'>, 'stage' | 'progress' | 'estimatedEndAt' | 'chunking'>;

/** A worker's hold on its job. All of the worker's writes before the last one are made here, one after the other. */
export type Lease = {
  /** Aborts with `LeaseLostError` when the job was cancelled or given to another worker. */
  signal: AbortSignal;
  /** Says how far a stage is; written at the next heartbeat. */
  report(news: Report): void;
  stage(): JobStage;
  /** Ends the heartbeats and returns the record as this worker last wrote it, with the latest progress. */
  release(): Promise<JobIn<'processing'>>;
};

/** Keeps the lease alive by a heartbeat every 2 s: a consistent read, and a write when there is something to say. */
export function holdLease(
  { jobs, clock }: { jobs: JobTable; clock: Clock },
  claimed: JobIn<'processing'>,
): Lease {
  let record = claimed;
  let reported: Reported = { stage: claimed.stage, progress: claimed.progress };
  const lost = new AbortController();
  const stopped = new AbortController();

  const beat = async () => {
    const stored = await jobs.get(record);
    if (!holdsLease(claimed.leaseId, stored)) return lost.abort(new LeaseLostError(claimed.jobId));
    record = stored;
    if (!needsWrite()) return;
    const change = heartbeat(record, { ...reported, now: clock.now() });
    const result = await jobs.write(change);
    if (result.written) record = change.job;
    // Else an earlier write of this worker came late, and the next heartbeat goes on from there.
    else if (!holdsLease(claimed.leaseId, result.current)) lost.abort(new LeaseLostError(claimed.jobId));
  };
  const needsWrite = () => {
    const news = reported.stage !== record.stage || reported.progress > record.progress;
    return news || Date.parse(record.dueAt) - clock.now().getTime() < durations.leaseMs / 2;
  };
  const run = async () => {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await clock.sleep(durations.heartbeatMs, stopped.signal);
      if (stopped.signal.aborted) return;
      await beat().catch((cause) => {
        if (clock.now().toISOString() >= record.dueAt) lost.abort(new LeaseLostError(record.jobId, cause));
      });
    }
  };
  const running = run();

  return {
    signal: lost.signal,
    report({ stage, fraction, remainingSeconds, chunking = reported.chunking }) {
      const progress = Math.max(reported.progress, overallProgress(stage, fraction));
      reported = { stage, progress, ...(chunking === undefined ? {} : { chunking }) };
      if (remainingSeconds === undefined) return;
      reported.estimatedEndAt = addMs(clock.now(), remainingSeconds * 1000);
    },
    stage: () => reported.stage,
    async release() {
      stopped.abort();
      await running;
      const { estimatedEndAt: _, ...last } = reported;
      return { ...record, ...last, progress: Math.max(record.progress, last.progress) };
    },
  };
}
