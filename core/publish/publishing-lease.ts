import { durations } from '../jobs/durations.ts';
import { renewPublishing } from '../jobs/publishing-transitions.ts';
import { holdsLease, type JobIn } from '../jobs/record.ts';
import { startHeartbeat } from '../worker/lease.ts';
import type { WorkerPorts } from '../worker/ports.ts';

/** A job whose files become visible at a storage provider. */
export type PublishingJob = JobIn<'processing'> & { publishing: string };

export type PublishingLease = {
  /** Aborts with `LeaseLostError` when another attempt holds the job, or it has ended. */
  signal: AbortSignal;
  /** The end of the lease, as this function last wrote or read it. */
  end(): Date;
  /** Stops the renewals; returns the record as it is stored. Undefined: the lease is lost. */
  release(): Promise<PublishingJob | undefined>;
};

/**
 * Renews the lease by a heartbeat once less than half of it is left: a provider may take minutes to complete a large upload.
 * Reads nothing, since the job can no longer be cancelled.
 */
export function holdPublishingLease({ jobs, clock }: WorkerPorts, claimed: PublishingJob): PublishingLease {
  const { jobId, leaseId, publishing } = claimed;
  let record = claimed;
  const end = () => new Date(record.dueAt);
  const { signal, stop } = startHeartbeat({
    clock,
    jobId,
    async beat({ lose }) {
      const now = clock.now();
      if (end().getTime() - now.getTime() >= durations.leaseMs / 2) return;
      const { job, guard } = renewPublishing(record, now);
      const result = await jobs.write({ job, guard });
      const stored = result.written ? job : result.current;
      // Under the same lease, a chunk's progress or another join of the attempt came in between.
      if (!holdsLease(leaseId, stored) || stored.publishing !== publishing) return lose();
      record = { ...stored, publishing };
    },
    // The next heartbeat writes again. Whoever else takes the job, the guards of later writes hold.
    onError: () => undefined,
  });
  return {
    signal,
    end,
    async release() {
      await stop();
      return signal.aborted ? undefined : record;
    },
  };
}
