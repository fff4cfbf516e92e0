import type { JobRef } from '../../core/jobs/ports.ts';
import type { ChunkProgress } from '../../core/jobs/progress.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { holdsLease } from '../../core/jobs/record.ts';
import { type Heartbeat, startHeartbeat } from '../worker/lease.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';

export type WatchTarget = JobRef & {
  leaseId: string;
  /** The task whose progress is recorded: the number of a chunk task, or the join. */
  chunk: ChunkProgress['chunk'];
};

/** Watches the job of a chunk task or join. The execution holds the lease; its functions do not renew it. */
export type Watch = {
  /** The record at the start. */
  job: JobIn<'processing'>;
  /** Aborts with `LeaseLostError` when the job was cancelled or another worker holds the lease. */
  signal: AbortSignal;
  /** Sets the progress of the task, 0 to 100, that the next heartbeat records. */
  report(percent: number): void;
  /** Stops watching and records the last progress. */
  end(): Promise<void>;
};

/** Reads the job every 2 s, records progress and aborts once the lease is lost. Undefined if it is lost at the start. */
export async function watchJob({ jobs, clock }: WorkerDeps, target: WatchTarget): Promise<Watch | undefined> {
  const { leaseId, jobId } = target;
  const job = await jobs.get(target);
  if (!holdsLease(leaseId, job)) return undefined;
  let reportedPercent = 0;
  let recordedPercent = 0;

  const record = async ({ lose }: Heartbeat) => {
    const percent = Math.floor(reportedPercent);
    if (percent <= recordedPercent) return;
    if ((await jobs.recordChunkProgress({ ...target, percent })) === 'lost') lose();
    recordedPercent = percent;
  };
  const heartbeat = startHeartbeat({
    clock,
    jobId,
    async beat(beating) {
      const stored = await jobs.get(target);
      if (!holdsLease(leaseId, stored)) return beating.lose();
      // The table ignores chunk progress until the job is delegated; `record` would not write it again.
      if (stored.chunkProgress !== undefined) await record(beating);
    },
    // The table may be unavailable for a while; the next heartbeat reads again.
    onError: () => undefined,
  });

  return {
    job,
    signal: heartbeat.signal,
    report(percent) {
      reportedPercent = Math.max(reportedPercent, Math.min(100, percent));
    },
    async end() {
      await heartbeat.stop();
      if (!heartbeat.signal.aborted) await record(heartbeat).catch(() => undefined);
    },
  };
}
