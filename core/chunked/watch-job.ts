import type { RunProgress } from '@media-jobs/video/chunking';
import { taskMsField } from '../jobs/progress.ts';
import { holdsLease, type JobIn } from '../jobs/record.ts';
import { type Heartbeat, startHeartbeat } from '../worker/lease.ts';
import type { WorkerPorts } from '../worker/ports.ts';
import { taskProgress, type WatchTarget } from './task-progress.ts';

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
