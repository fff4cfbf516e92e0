import { retryUntil } from '../../core/async.ts';
import { addMs } from '../../core/jobs/durations.ts';
import { enterLimit as enterQueueLimit } from '../../core/jobs/job-queue.ts';
import { limitedQueueOf, longAfterSeconds, longJobsQueue, maxShortSeconds } from '../../core/jobs/queues.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import type { Lease } from '../../core/worker/lease.ts';
import type { FunctionPorts } from '../../core/worker/ports.ts';

/** The limit of long jobs, as it holds for a claimed job until its files are stored. */
export type LongQueue = {
  /** Aborts once the job has held its worker for two minutes while as many long jobs run as may run. */
  signal: AbortSignal;
  /**
   * Counts the job as a long one if it is. `full`: it has to wait, and its worker takes a short job.
   * @param seconds that the job is expected to take from now on
   */
  expectSeconds(seconds: number): Promise<'free' | 'full'>;
  isFull(): boolean;
  /** Afterwards the job is not counted any more. */
  stop(): Promise<void>;
};

/** Watches how long a job holds its worker. A job that was claimed as a long one stays one. */
export function longQueue(
  deps: FunctionPorts,
  job: JobIn<'processing'>,
  { lease, deadline }: { lease: Lease; deadline: Date },
): LongQueue {
  const { clock } = deps;
  const claimedAt = new Date(job.claimedAt);
  const full = new AbortController();
  const stopped = new AbortController();
  let entering: Promise<'free' | 'full'> | undefined;

  const enter = async (): Promise<'free' | 'full'> => {
    if (!(await retryUntil(clock, deadline, () => enterLimit(deps, job)))) {
      full.abort(new Error(`Job ${job.jobId} is long, and waits until fewer long jobs run`));
      return 'full';
    }
    lease.markLong();
    return 'free';
  };
  const becomeLong = () => {
    // Batches have a limit of their own.
    entering ??= limitedQueueOf(job) !== undefined ? Promise.resolve('free') : enter();
    return entering;
  };
  const watch = async () => {
    const endsAt = addMs(claimedAt, maxShortSeconds * 1_000);
    await clock.sleep(Date.parse(endsAt) - clock.now().getTime(), stopped.signal);
    if (!stopped.signal.aborted) await becomeLong();
  };
  // At the limit the signal aborts; without the table the worker goes on.
  const watching = watch().catch(() => undefined);

  return {
    signal: full.signal,
    async expectSeconds(seconds) {
      const heldSeconds = (clock.now().getTime() - claimedAt.getTime()) / 1_000;
      return heldSeconds + seconds > longAfterSeconds ? becomeLong() : 'free';
    },
    isFull: () => full.signal.aborted,
    async stop() {
      stopped.abort();
      await watching;
      await entering?.catch(() => undefined);
    },
  };
}

/** With few workers, long jobs leave one to short ones only while some wait. */
async function enterLimit(deps: FunctionPorts, job: JobIn<'processing'>): Promise<boolean> {
  if (await enterQueueLimit(deps, job, { limited: longJobsQueue, shortWaits: true })) return true;
  const [short] = await deps.jobs.waiting({ limit: 1 });
  return short === undefined && enterQueueLimit(deps, job, { limited: longJobsQueue, shortWaits: false });
}
