import { durations } from '../../core/jobs/durations.ts';
import type { ChunkProgress } from '../../core/jobs/execution-transitions.ts';
import { holdsLease } from '../../core/jobs/held-by.ts';
import type { Clock, JobRef, JobTable } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { LeaseLostError } from '../worker/lease.ts';

export type WatchDeps = { jobs: Pick<JobTable, 'get' | 'recordChunkProgress'>; clock: Clock };

export type WatchTarget = JobRef & {
  leaseId: string;
  /** Under which name this function notes how far it is. */
  chunk: ChunkProgress['chunk'];
};

/** What a function that has a part in a job knows of the job while it works. */
export type Watch = {
  /** The job as it was when the watch began. */
  job: JobIn<'processing'>;
  /** Aborts with `LeaseLostError` when the job was cancelled or given to another worker. */
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
export async function watchJob({ jobs, clock }: WatchDeps, watched: WatchTarget): Promise<Watch | undefined> {
  const { leaseId, jobId } = watched;
  const job = await jobs.get(watched);
  if (!holdsLease(leaseId, job)) return undefined;
  const lost = new AbortController();
  const stopped = new AbortController();
  let percent = 0;
  let noted = 0;

  const look = async () => {
    const stored = await jobs.get(watched);
    if (!holdsLease(leaseId, stored)) return lost.abort(new LeaseLostError(jobId));
    // Before, nobody takes notes, and one that was made would be taken for written down.
    if (stored.chunkProgress !== undefined) await note();
  };
  const note = async () => {
    const news = Math.floor(percent);
    if (news <= noted) return;
    if ((await jobs.recordChunkProgress({ ...watched, percent: news })) === 'lost')
      lost.abort(new LeaseLostError(jobId));
    noted = news;
  };
  const run = async () => {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await clock.sleep(durations.heartbeatMs, stopped.signal);
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
