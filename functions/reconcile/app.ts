import { hasEnded, type JobRecord } from '../../core/jobs/job.ts';
import { dueShards } from '../../core/jobs/job-id.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { type DeliveryPorts, resumePending } from './delivery.ts';
import { type SweepPorts, sweepDeleted, sweepLosers } from './sweep.ts';
import { recoverLost, resumeQueued, type UnfinishedPorts } from './unfinished.ts';

export type ReconcilePorts = UnfinishedPorts &
  DeliveryPorts &
  SweepPorts & {
    /** How many jobs of each shard one run takes at most, the longest due first. */
    jobsPerShard: number;
    onStep: (ref: JobRef, step: string) => void;
    onFailure: (ref: JobRef, cause: unknown) => void;
  };

/** What a run found and could not do: the failed ones are due still, and are tried again by the next run. */
export type ReconcileReport = { due: number; failed: number };

/**
 * Brings every job forward whose `dueAt` has passed: whatever a crash left undone. Each step is one conditional write
 * over the record as it was read, so that runs may overlap and the stale index can do no harm.
 */
export function reconcile(ports: ReconcilePorts): () => Promise<ReconcileReport> {
  return async () => {
    const shards = Array.from({ length: dueShards }, (_, shard) => reconcileShard(ports, shard));
    const reports = await Promise.all(shards);
    return {
      due: reports.reduce((sum, { due }) => sum + due, 0),
      failed: reports.reduce((sum, { failed }) => sum + failed, 0),
    };
  };
}

async function reconcileShard(ports: ReconcilePorts, shard: number): Promise<ReconcileReport> {
  const refs = await ports.jobs.due({ shard, now: ports.clock.now(), limit: ports.jobsPerShard });
  let failed = 0;
  for (const ref of refs) {
    try {
      ports.onStep(ref, await bringForward(ports, ref));
    } catch (cause) {
      failed += 1;
      ports.onFailure(ref, cause);
    }
  }
  return { due: refs.length, failed };
}

async function bringForward(ports: ReconcilePorts, ref: JobRef): Promise<string> {
  const job = await ports.jobs.get(ref);
  const isDue = job?.dueAt !== undefined && job.dueAt <= ports.clock.now().toISOString();
  return isDue ? next(ports, job) : 'not-due';
}

function next(ports: ReconcilePorts, job: JobRecord): Promise<string> {
  if (job.state === 'queued') return resumeQueued(ports, job);
  if (job.state === 'processing') return recoverLost(ports, job);
  if (!hasEnded(job)) return sweepDeleted(ports, job);
  if (job.pendingDelivery !== undefined) return resumePending(ports, job, job.pendingDelivery.id);
  return sweepLosers(ports, job);
}
