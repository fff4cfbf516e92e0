import { durations } from '../../core/jobs/durations.ts';
import { isHeldBy } from '../../core/jobs/held-by.ts';
import type { JobIn } from '../../core/jobs/job.ts';
import type { PartNote } from '../../core/jobs/parallel.ts';
import type { Clock, JobRef, JobTable } from '../../core/jobs/ports.ts';
import { LeaseLost } from '../transcode/lease.ts';

export type WatchPorts = { jobs: Pick<JobTable, 'get' | 'note'>; clock: Clock };

export type Watched = JobRef & {
  leaseId: string;
  /** Under which name this function notes how far it is. */
  part: PartNote['part'];
};

/** What a function that has a part in a job knows of the job while it works. */
export type Watch = {
  /** The job as it was when the watch began. */
  job: JobIn<'processing'>;
  /** Aborts with `LeaseLost` when the job was cancelled or given to another worker. */
  signal: AbortSignal;
  /** Says how many percent of the part are done; noted at the next look. */
  report(percent: number): void;
  /** Ends the watch, with a last note. */
  end(): Promise<void>;
};

/**
 * Looks at the job every 2 s: whether it is still that of the lease, which the state machine holds for all parts, and
 * notes what there is to say. Undefined where it is no longer to begin with.
 */
export async function watchJob({ jobs, clock }: WatchPorts, watched: Watched): Promise<Watch | undefined> {
  const { leaseId, jobId } = watched;
  const job = await jobs.get(watched);
  if (!isHeldBy(leaseId, job)) return undefined;
  const lost = new AbortController();
  const stopped = new AbortController();
  let percent = 0;
  let noted = 0;

  const look = async () => {
    const stored = await jobs.get(watched);
    if (!isHeldBy(leaseId, stored)) return lost.abort(new LeaseLost(jobId));
    // Before, nobody takes notes, and one that was made would be taken for written down.
    if (stored.partProgress !== undefined) await note();
  };
  const note = async () => {
    const news = Math.floor(percent);
    if (news <= noted) return;
    if ((await jobs.note({ ...watched, percent: news })) === 'lost') lost.abort(new LeaseLost(jobId));
    noted = news;
  };
  const run = async () => {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await clock.sleep(durations.heartbeat, stopped.signal);
      if (stopped.signal.aborted) return;
      // The table may fail for a while; the next look asks again.
      await look().catch(() => undefined);
    }
  };
  const running = run();

  return {
    job,
    signal: lost.signal,
    report(news) {
      percent = Math.max(percent, Math.min(100, news));
    },
    async end() {
      stopped.abort();
      await running;
      if (!lost.signal.aborted) await note().catch(() => undefined);
    },
  };
}
