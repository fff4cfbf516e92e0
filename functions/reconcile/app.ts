import { hasEnded, type JobRecord } from '../../core/jobs/job.ts';
import { dueShards } from '../../core/jobs/job-id.ts';
import type { DueRef, JobRef } from '../../core/jobs/ports.ts';
import { postpone } from '../../core/jobs/postpone.ts';
import { type DeliveryPorts, resumePending } from './delivery.ts';
import { type SweepPorts, sweepDeleted, sweepLosers } from './sweep.ts';
import { recoverLost, resumeQueued, type UnfinishedPorts } from './unfinished.ts';

export type ReconcilePorts = UnfinishedPorts &
  DeliveryPorts &
  SweepPorts & {
    /** How many jobs of each shard one run brings forward at most, the longest due first. */
    jobsPerShard: number;
    onStep: (ref: JobRef, step: string) => void;
    onFailure: (ref: JobRef, cause: unknown) => void;
  };

/** What a run found and could not do: the failed ones are due still, and are tried again by a later run. */
export type ReconcileReport = { due: number; failed: number };

/**
 * Brings every job forward whose `dueAt` has passed: whatever a crash left undone. Each step is one conditional write
 * over the record as it was read, so that runs may overlap and the stale index can do no harm. It begins no step after
 * `until`.
 */
export function reconcile(ports: ReconcilePorts): (until: Date) => Promise<ReconcileReport> {
  return async (until) => {
    let notStarted = 0;
    const onStartFailed: ReconcilePorts['onStartFailed'] = (ref, cause) => {
      // Behind every other function stands this one; behind this one stands the operator, who hears of failures alone.
      notStarted += 1;
      ports.onStartFailed(ref, cause);
    };
    const counting = { ...ports, onStartFailed };
    const shards = Array.from({ length: dueShards }, (_, shard) =>
      reconcileShard(counting, { shard, until }),
    );
    const reports = await Promise.all(shards);
    return {
      due: reports.reduce((sum, { due }) => sum + due, 0),
      failed: reports.reduce((sum, { failed }) => sum + failed, notStarted),
    };
  };
}

/** Jobs that cannot be brought forward do not count, so that no number of them at the head holds the others up. */
async function reconcileShard(
  ports: ReconcilePorts,
  { shard, until }: { shard: number; until: Date },
): Promise<ReconcileReport> {
  const { jobs, clock, jobsPerShard: limit } = ports;
  const report = { due: 0, failed: 0 };
  let after: DueRef | undefined;
  do {
    const page = await jobs.due({ shard, now: clock.now(), limit, after });
    for (const ref of page) {
      if (clock.now() >= until) return report;
      report.due += 1;
      if (!(await bringForward(ports, ref))) report.failed += 1;
    }
    after = page.length < limit ? undefined : page.at(-1);
  } while (after !== undefined && report.due - report.failed < limit);
  return report;
}

/** False where it failed: the job is put behind the others, so that what it costs is not paid first by every run. */
async function bringForward(ports: ReconcilePorts, ref: JobRef): Promise<boolean> {
  let job: JobRecord | undefined;
  try {
    job = await ports.jobs.get(ref);
    ports.onStep(ref, job !== undefined && isDue(ports, job) ? await next(ports, job) : 'not-due');
    return true;
  } catch (cause) {
    ports.onFailure(ref, cause);
    if (job !== undefined) await putBehind(ports, job);
    return false;
  }
}

function isDue({ clock }: ReconcilePorts, { dueAt }: JobRecord): boolean {
  return dueAt !== undefined && dueAt <= clock.now().toISOString();
}

async function putBehind(ports: ReconcilePorts, job: JobRecord): Promise<void> {
  await ports.jobs.write(postpone(job, ports.clock.now())).catch((cause) => ports.onFailure(job, cause));
}

function next(ports: ReconcilePorts, job: JobRecord): Promise<string> {
  if (job.state === 'queued') return resumeQueued(ports, job);
  if (job.state === 'processing') return recoverLost(ports, job);
  if (!hasEnded(job)) return sweepDeleted(ports, job);
  if (job.pendingDelivery !== undefined) return resumePending(ports, job, job.pendingDelivery.id);
  return sweepLosers(ports, job);
}
