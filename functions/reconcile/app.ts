import { dueShards } from '../../core/jobs/job-id.ts';
import type { DueRef, JobRef } from '../../core/jobs/ports.ts';
import type { JobRecord } from '../../core/jobs/record.ts';
import { postpone } from '../../core/jobs/transitions.ts';
import { type ReconcileJobDeps, type ReconcileStep, takeNextStep } from './reconcile-job.ts';

export type ReconcileDeps = ReconcileJobDeps & {
  /** Maximum of metered steps per shard and run. Bounds the load on receivers when many deliveries are resumed. */
  maxJobsPerShard: number;
  onStep: (ref: JobRef, step: ReconcileStep) => void;
  onFailure: (ref: JobRef, cause: unknown) => void;
};

/**
 * Steps that do not count towards `maxJobsPerShard`. Waiting jobs are due every hour: if they counted, many of them would
 * delay the recovery of lost workers and deliveries.
 */
const unmeteredSteps: ReadonlySet<ReconcileStep> = new Set([
  'resent',
  'still-running',
  'not-due',
  'superseded',
]);

/** `due` counts the jobs that were looked at, `failed` those whose step failed, and failed starts of deliveries. */
export type ReconcileReport = { due: number; failed: number };

/**
 * Takes the next step of every job whose `dueAt` has passed: this recovers from crashes. Each step is a conditional write
 * over the record that was read, so runs may overlap and index entries may be stale. No step begins after `until`.
 */
export function reconcile(deps: ReconcileDeps): (until: Date) => Promise<ReconcileReport> {
  return async (until) => {
    let failedStarts = 0;
    const onDeliveryStartFailed: ReconcileDeps['onDeliveryStartFailed'] = (ref, cause) => {
      // Nothing retries reconcile: count failed starts so that the alarm fires.
      failedStarts += 1;
      deps.onDeliveryStartFailed(ref, cause);
    };
    const shards = Array.from({ length: dueShards }, (_, shard) =>
      reconcileShard({ ...deps, onDeliveryStartFailed }, { shard, until }),
    );
    const reports = await Promise.all(shards);
    return {
      due: reports.reduce((sum, { due }) => sum + due, 0),
      failed: reports.reduce((sum, { failed }) => sum + failed, failedStarts),
    };
  };
}

/** Failed jobs do not count towards the limit either: many of them must not block the others. */
async function reconcileShard(
  deps: ReconcileDeps,
  { shard, until }: { shard: number; until: Date },
): Promise<ReconcileReport> {
  const { jobs, clock, maxJobsPerShard: limit } = deps;
  const report = { due: 0, failed: 0 };
  let metered = 0;
  let after: DueRef | undefined;
  do {
    const page = await jobs.due({ shard, now: clock.now(), limit, after });
    for (const ref of page) {
      if (clock.now() >= until || metered === limit) return report;
      report.due += 1;
      const step = await reconcileJob(deps, ref);
      if (step === undefined) report.failed += 1;
      else if (!unmeteredSteps.has(step)) metered += 1;
    }
    after = page.length < limit ? undefined : page.at(-1);
  } while (after !== undefined);
  return report;
}

/** Undefined after a failure. The job is then postponed, so that later runs begin with other jobs. */
async function reconcileJob(deps: ReconcileDeps, ref: JobRef): Promise<ReconcileStep | undefined> {
  let job: JobRecord | undefined;
  try {
    job = await deps.jobs.get(ref);
    const step = job !== undefined && isDue(deps, job) ? await takeNextStep(deps, job) : 'not-due';
    deps.onStep(ref, step);
    return step;
  } catch (cause) {
    deps.onFailure(ref, cause);
    if (job !== undefined) await postponeJob(deps, job);
    return undefined;
  }
}

function isDue({ clock }: ReconcileDeps, { dueAt }: JobRecord): boolean {
  return dueAt !== undefined && dueAt <= clock.now().toISOString();
}

async function postponeJob(deps: ReconcileDeps, job: JobRecord): Promise<void> {
  await deps.jobs.write(postpone(job, deps.clock.now())).catch((cause) => deps.onFailure(job, cause));
}
