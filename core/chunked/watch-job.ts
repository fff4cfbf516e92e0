import type { RunProgress } from '@media-jobs/video/chunking';
import { durations } from '../jobs/durations.ts';
import type { Clock, JobTable } from '../jobs/ports.ts';
import { type ChunkProgress, type ChunkProgressResult, taskMsField } from '../jobs/progress.ts';
import { holdsLease, type JobIn } from '../jobs/record.ts';
import type { WorkerPorts } from '../worker/ports.ts';
import { type Heartbeat, startHeartbeat } from '../worker/worker-context.ts';

/** Watches the job of a chunk task or join. The execution holds the lease; its functions do not renew it. */
export type Watch = {
  /** The record at the start. */
  job: JobIn<'processing'>;
  /**
   * Aborts with `LeaseLostError` when the job was cancelled or another worker holds the lease, and with the error of
   * `check`.
   */
  signal: AbortSignal;
  /** Whether the lease is lost. */
  isLost(): boolean;
  /** Calls the listener with each record that is read from now on, and the progress of this run. */
  onRead(listener: ReadListener): void;
  /** Sets the progress of the task, 0 to 100, that the next heartbeat records. */
  report(percent: number): void;
  /** Stops watching and records the last progress and the time of the task. */
  end(): Promise<void>;
  /** The record at the start, with the time of the task until now: for a terminal write. */
  timedJob(): JobIn<'processing'>;
};

type ReadListener = (job: JobIn<'processing'>, progress: RunProgress) => Promise<void>;

/**
 * Records that the task has begun. Then reads the job every 2 s, records progress with the time of the task, and aborts once
 * the lease is lost. Undefined if it is lost at the start.
 *
 * @param check returns the error with which the work must stop; called with each record that was read
 */
export async function watchJob(
  { jobs, clock }: WorkerPorts,
  target: WatchTarget,
  check: (job: JobIn<'processing'>) => Error | undefined = () => undefined,
): Promise<Watch | undefined> {
  const { leaseId, jobId } = target;
  const startedMs = clock.now().getTime();
  const job = await jobs.get(target);
  if (!holdsLease(leaseId, job)) return undefined;
  const progress = taskProgress({ jobs, clock }, target, { job, startedMs });
  let listener: ReadListener | undefined;

  const failed = new AbortController();
  const stopIfFailed = (stored: JobIn<'processing'>) => {
    const error = check(stored);
    if (error !== undefined) failed.abort(error);
  };
  stopIfFailed(job);
  const record = async ({ lose }: Heartbeat, options?: { isEnd: boolean }) => {
    if ((await progress.record(options)) === 'lost') lose();
  };
  const heartbeat = startHeartbeat({
    clock,
    jobId,
    async beat(beating) {
      const stored = await jobs.get(target);
      if (!holdsLease(leaseId, stored)) return beating.lose();
      stopIfFailed(stored);
      if (progress.isMissingIn(stored)) await record(beating);
      await listener?.(stored, progress.ofRun());
    },
    // The table may be unavailable for a while; the next heartbeat reads again.
    onError: () => undefined,
  });
  // A task that is stopped before its first heartbeat has cost something too.
  if (job.chunkProgress !== undefined) await record(heartbeat).catch(() => undefined);

  return {
    job,
    signal: AbortSignal.any([heartbeat.signal, failed.signal]),
    isLost: () => heartbeat.signal.aborted,
    onRead: (next) => {
      listener = next;
    },
    report: progress.report,
    async end() {
      await heartbeat.stop();
      if (!heartbeat.signal.aborted) await record(heartbeat, { isEnd: true }).catch(() => undefined);
    },
    timedJob: () => ({ ...job, taskMs: { ...job.taskMs, [taskMsField(target)]: progress.taskMs() } }),
  };
}

type WatchTarget = Omit<ChunkProgress, 'percent' | 'ms' | 'beat'>;

export type TaskProgress = {
  /** The progress of this run until now. */
  ofRun(): RunProgress;
  /** Sets the progress of the run, 0 to 100. It never falls. */
  report(percent: number): void;
  /** Whether `stored` lacks progress of this run. Another run of the task may be further. */
  isMissingIn(stored: JobIn<'processing'>): boolean;
  /** Records the progress and the time until now. `isEnd`: no heartbeat of this run follows. */
  record(options?: { isEnd?: boolean }): Promise<ChunkProgressResult>;
  /** Milliseconds of the task until now, with those of earlier runs. */
  taskMs(): number;
};

/**
 * Follows one run of a task.
 *
 * @param job the record at the start of the run
 * @param startedMs time of the start in milliseconds since 1970
 */
function taskProgress(
  { jobs, clock }: { jobs: { recordChunkProgress: JobTable['recordChunkProgress'] }; clock: Clock },
  target: WatchTarget,
  { job, startedMs }: { job: JobIn<'processing'>; startedMs: number },
): TaskProgress {
  const { chunk } = target;
  // An earlier run of the task may have died.
  const earlierMs = job.taskMs?.[taskMsField(target)] ?? 0;
  const claimedMs = Date.parse(job.claimedAt);
  const runMs = () => clock.now().getTime() - startedMs;
  const taskMs = () => earlierMs + runMs();
  let reportedPercent = 0;
  let recorded = { percent: job.chunkProgress?.[chunk] ?? 0, ms: earlierMs };

  return {
    ofRun: () => ({ ms: runMs(), percent: reportedPercent }),
    report(percent) {
      reportedPercent = Math.max(reportedPercent, Math.min(100, percent));
    },
    isMissingIn({ chunkProgress }) {
      recorded.percent = Math.max(recorded.percent, chunkProgress?.[chunk] ?? 0);
      // The table ignores chunk progress until the job is delegated; `record` would not write it again.
      if (chunkProgress === undefined) return false;
      return (
        recorded.ms === earlierMs ||
        Math.floor(reportedPercent) > recorded.percent ||
        taskMs() - recorded.ms >= durations.taskProgressMs
      );
    },
    async record({ isEnd = false } = {}) {
      const percent = Math.max(recorded.percent, Math.floor(reportedPercent));
      // The table ignores a time that does not rise.
      const latest = { percent, ms: Math.max(taskMs(), recorded.ms + 1) };
      const beat = isEnd ? undefined : Math.floor((clock.now().getTime() - claimedMs) / 1000);
      const result = await jobs.recordChunkProgress({ ...target, ...latest, beat });
      recorded = latest;
      return result;
    },
    taskMs,
  };
}
