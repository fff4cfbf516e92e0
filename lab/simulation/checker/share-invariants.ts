import type { JobRecord } from '../../../core/jobs/record.ts';
import { workersOfOwner } from '../../../core/jobs/running-limit.ts';
import type { Invariant } from './invariant.ts';

/** Longer than the index of waiting jobs is stale, and than a claim takes. */
const marginMs = 15_000;

export const ownersKeepTheirShare: Invariant = {
  name: 'no owner takes more than its share of the workers while a job of another waits',
  breaches: ({ running, workers, jobs, limitedOwners }) => {
    const share = workersOfOwner(workers);
    const working = new Map<string, string>();
    const workersHeld = (ownerId: string) => [...working.values()].filter((holder) => holder === ownerId).length;
    return running.flatMap((entry) => {
      if (entry.kind === 'running') return [];
      const { before, after, at } = entry;
      if (holdsWorker(after)) working.set(after.jobId, after.ownerId);
      else working.delete(after.jobId);
      const isClaim = before?.state === 'queued' && after.state === 'processing';
      if (!isClaim || workersHeld(after.ownerId) <= share) return [];
      const passed = jobs.find(
        ({ ownerId, writes }) =>
          ownerId !== after.ownerId &&
          !limitedOwners.has(ownerId) &&
          workersHeld(ownerId) < share &&
          isQueuedAround(writes, at),
      );
      return passed === undefined
        ? []
        : [`${after.ownerId} took more than ${share} workers while ${passed.jobId} waited`];
    });
  },
};

function holdsWorker(job: JobRecord): boolean {
  return job.state === 'processing' && (job.execution ?? job.delegation ?? job.pool) === undefined;
}

/** Whether a job was queued for some time before and after. */
function isQueuedAround(writes: readonly { at: number; after: JobRecord }[], at: number): boolean {
  const before = writes.findLast((write) => write.at <= at - marginMs);
  const next = writes.find((write) => write.at > at - marginMs);
  return before?.after.state === 'queued' && (next === undefined || next.at > at + marginMs);
}
