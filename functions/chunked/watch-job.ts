import type { ChunkProgress } from '../../core/jobs/execution-transitions.ts';
import { holdsLease } from '../../core/jobs/held-by.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { type Heartbeat, startHeartbeat } from '../worker/heartbeat.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';

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
export async function watchJob(
  { jobs, clock }: WorkerDeps,
  watched: WatchTarget,
): Promise<Watch | undefined> {
  const { leaseId, jobId } = watched;
  const job = await jobs.get(watched);
  if (!holdsLease(leaseId, job)) return undefined;
  let percent = 0;
  let recordedPercent = 0;

  const record = async ({ lose }: Heartbeat) => {
    const wholePercent = Math.floor(percent);
    if (wholePercent <= recordedPercent) return;
    if ((await jobs.recordChunkProgress({ ...watched, percent: wholePercent })) === 'lost') lose();
    recordedPercent = wholePercent;
  };
  const heartbeat = startHeartbeat({
    clock,
    jobId,
    async beat(beating) {
      const stored = await jobs.get(watched);
      if (!holdsLease(leaseId, stored)) return beating.lose();
      // Until the job is delegated the table rejects chunk progress, and this function would take it for recorded.
      if (stored.chunkProgress !== undefined) await record(beating);
    },
    // The table may fail for a while; the next beat reads again.
    onError: () => undefined,
  });

  return {
    job,
    signal: heartbeat.signal,
    report(reached) {
      percent = Math.max(percent, Math.min(100, reached));
    },
    async end() {
      await heartbeat.stop();
      if (!heartbeat.signal.aborted) await record(heartbeat).catch(() => undefined);
    },
  };
}
