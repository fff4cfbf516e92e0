import { retryUntil } from '../../core/async/retry-until.ts';
import { addMs } from '../../core/jobs/durations.ts';
import { longAfterSeconds, longLane, maxShortSeconds } from '../../core/jobs/lanes.ts';
import { type EnterLongLaneDeps, enterLongLane } from '../../core/jobs/long-lane.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import type { Lease } from '../../core/worker/lease.ts';
import type { TranscodeDeps } from '../../core/worker/worker-deps.ts';

/** All permits of long jobs are taken: the job waits for one, and its worker takes a short job. */
export class LongLaneFullError extends Error {
  constructor(jobId: string) {
    super(`Job ${jobId} is long, and no permit of long jobs is free`);
    this.name = 'LongLaneFullError';
  }
}

/** The lane of a claimed job, from its claim until its files are stored. */
export type LaneOfJob = {
  /** Aborts with `LongLaneFullError` once the job has held its worker for two minutes without a permit. */
  signal: AbortSignal;
  /**
   * Takes a permit if the job is long.
   * @param seconds that the job is expected to take from now on
   * @throws LongLaneFullError
   */
  expectSeconds(seconds: number): Promise<void>;
  /** Whether the job is to wait for a permit. */
  isFull(): boolean;
  /** Afterwards no permit is taken any more. */
  stop(): Promise<void>;
};

type LaneDeps = EnterLongLaneDeps & Pick<TranscodeDeps, 'jobs'>;

/** Watches how long a job holds its worker. A job that was claimed with a permit keeps it. */
export function laneOfJob(
  deps: LaneDeps,
  job: JobIn<'processing'>,
  { lease, deadline }: { lease: Pick<Lease, 'markLong'>; deadline: Date },
): LaneOfJob {
  const { clock } = deps;
  const claimedAt = new Date(job.claimedAt);
  const full = new AbortController();
  const stopped = new AbortController();
  let entering: Promise<void> | undefined;

  const enter = async () => {
    if (!(await retryUntil(clock, deadline, () => takePermit(deps, job)))) {
      const error = new LongLaneFullError(job.jobId);
      full.abort(error);
      throw error;
    }
    lease.markLong();
  };
  const becomeLong = () => {
    entering ??= job.lane === longLane ? Promise.resolve() : enter();
    return entering;
  };
  const watch = async () => {
    const endsAt = addMs(claimedAt, maxShortSeconds * 1_000);
    await clock.sleep(Date.parse(endsAt) - clock.now().getTime(), stopped.signal);
    if (!stopped.signal.aborted) await becomeLong();
  };
  // A full lane aborts the signal; without the table the worker goes on.
  const watching = watch().catch(() => undefined);

  return {
    signal: full.signal,
    async expectSeconds(seconds) {
      const heldSeconds = (clock.now().getTime() - claimedAt.getTime()) / 1_000;
      if (heldSeconds + seconds > longAfterSeconds) await becomeLong();
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
async function takePermit(deps: LaneDeps, job: JobIn<'processing'>): Promise<boolean> {
  if (await enterLongLane(deps, job, { shortWaits: true })) return true;
  const [short] = await deps.jobs.waiting({ limit: 1 });
  return short === undefined && enterLongLane(deps, job, { shortWaits: false });
}
