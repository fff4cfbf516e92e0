import { dueShards } from '../../core/jobs/job-id.ts';
import type { DueRef, JobRef } from '../../core/jobs/ports.ts';
import { postpone } from '../../core/jobs/postpone.ts';
import { isTerminal, type JobRecord } from '../../core/jobs/record.ts';
import { type ResumeDeliveryDeps, resumePendingDelivery } from './delivery.ts';
import { type SweepDeps, sweepDeleted, sweepLostAttempts } from './sweep.ts';
import { recoverLostWorker, resendQueued, type UnfinishedDeps } from './unfinished.ts';

export type ReconcileDeps = UnfinishedDeps &
  ResumeDeliveryDeps &
  SweepDeps & {
    /**
     * How many jobs of each shard one run brings forward at most, the longest due first: a bound for the receivers whose
     * deliveries it resumes. What burdens nobody does not count.
     */
    maxJobsPerShard: number;
    onStep: (ref: JobRef, step: string) => void;
    onFailure: (ref: JobRef, cause: unknown) => void;
  };

/**
 * A job that only waits is due every hour at least, and so are all those behind which it waits: however many there are,
 * lost workers and deliveries must not stand behind them.
 */
const unmeteredSteps: ReadonlySet<string> = new Set(['resent', 'still-running', 'not-due', 'superseded']);

/** What a run found and could not do: the failed ones are due still, and are tried again by a later run. */
export type ReconcileReport = { due: number; failed: number };

/**
 * Brings every job forward whose `dueAt` has passed: whatever a crash left undone. Each step is one conditional write
 * over the record as it was read, so that runs may overlap and the stale index can do no harm. It begins no step after
 * `until`.
 */
export function reconcile(ports: ReconcileDeps): (until: Date) => Promise<ReconcileReport> {
  return async (until) => {
    let notStarted = 0;
    const onDeliveryStartFailed: ReconcileDeps['onDeliveryStartFailed'] = (ref, cause) => {
      // Behind every other function stands this one; behind this one stands the operator, who hears of failures alone.
      notStarted += 1;
      ports.onDeliveryStartFailed(ref, cause);
    };
    const counting = { ...ports, onDeliveryStartFailed };
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

/** Neither do jobs count that cannot be brought forward, so that no number of them at the head holds the others up. */
async function reconcileShard(
  ports: ReconcileDeps,
  { shard, until }: { shard: number; until: Date },
): Promise<ReconcileReport> {
  const { jobs, clock, maxJobsPerShard: limit } = ports;
  const report = { due: 0, failed: 0 };
  let brought = 0;
  let after: DueRef | undefined;
  do {
    const page = await jobs.due({ shard, now: clock.now(), limit, after });
    for (const ref of page) {
      if (clock.now() >= until || brought === limit) return report;
      report.due += 1;
      const step = await reconcileJob(ports, ref);
      if (step === undefined) report.failed += 1;
      else if (!unmeteredSteps.has(step)) brought += 1;
    }
    after = page.length < limit ? undefined : page.at(-1);
  } while (after !== undefined);
  return report;
}

/** Undefined where it failed: the job is put behind the others, so that what it costs is not paid first by every run. */
async function reconcileJob(ports: ReconcileDeps, ref: JobRef): Promise<string | undefined> {
  let job: JobRecord | undefined;
  try {
    job = await ports.jobs.get(ref);
    const step = job !== undefined && isDue(ports, job) ? await next(ports, job) : 'not-due';
    ports.onStep(ref, step);
    return step;
  } catch (cause) {
    ports.onFailure(ref, cause);
    if (job !== undefined) await putBehind(ports, job);
    return undefined;
  }
}

function isDue({ clock }: ReconcileDeps, { dueAt }: JobRecord): boolean {
  return dueAt !== undefined && dueAt <= clock.now().toISOString();
}

async function putBehind(ports: ReconcileDeps, job: JobRecord): Promise<void> {
  await ports.jobs.write(postpone(job, ports.clock.now())).catch((cause) => ports.onFailure(job, cause));
}

function next(ports: ReconcileDeps, job: JobRecord): Promise<string> {
  if (job.state === 'queued') return resendQueued(ports, job);
  if (job.state === 'processing') return recoverLostWorker(ports, job);
  if (!isTerminal(job)) return sweepDeleted(ports, job);
  if (job.pendingDelivery !== undefined) return resumePendingDelivery(ports, job, job.pendingDelivery.id);
  return sweepLostAttempts(ports, job);
}
