import type { JobChange } from '../../core/jobs/guard.ts';
import { keptPrefixes } from '../../core/jobs/kept-files.ts';
import type { RemovalOptions, RemovalResult } from '../../core/jobs/ports.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import {
  markEnded,
  markSwept,
  markTombstoneSwept,
  mayHaveActiveWriters,
  postponeForProvider,
} from '../../core/jobs/removal-transitions.ts';
import { endedPrefixes, removeFinished } from '../../core/jobs/retention.ts';
import { jobPath, workPrefix } from '../../core/jobs/stored-file.ts';
import { postpone } from '../../core/jobs/transitions.ts';
import {
  discardPublications,
  type ProviderRemovalResult,
  removeStoredFiles,
} from '../../core/publish/discard-publication.ts';
import { countUsage } from '../../core/spending/count-usage.ts';
import type { ReconcileJobDeps, ReconcileStep } from './reconcile-job.ts';

/** The time for one sweep. A job with more to remove continues in the next run, after all others. */
const sweepBudgetMs = 5_000;

/**
 * Runs the removals of a sweep one after the other. What a storage provider has comes late, so that one that does not respond
 * delays little: only work files, which list it. The job is postponed first, so that a crash of the function, for
 * example by memory, does not leave it at the head of its shard.
 */
async function sweep<J extends TerminalJob | JobIn<'deleted'>>(
  { jobs, clock }: ReconcileJobDeps,
  { job, until, markSwept }: { job: J; until: Date; markSwept: (job: J) => JobChange },
  ...removals: ((options: RemovalOptions) => Promise<RemovalResult | ProviderRemovalResult>)[]
): Promise<ReconcileStep> {
  const begun = postpone(job, clock.now());
  if (!(await jobs.write(begun)).written) return 'superseded';
  const endsAt = Math.min(until.getTime(), clock.now().getTime() + sweepBudgetMs);
  const mayContinue = () => clock.now().getTime() < endsAt;
  for (const remove of removals) {
    const result = await remove({ mayContinue });
    if (result === 'incomplete') return 'sweep-continues';
    if (result === 'complete') continue;
    await jobs.write(postponeForProvider(begun.job, clock.now()));
    return 'provider-unavailable';
  }
  await jobs.write(markSwept(begun.job));
  return 'swept';
}

/** Removes the files of lost attempts and of repeated joins. It is due when none of their workers can write any more. */
export function sweepLostAttempts(deps: ReconcileJobDeps, job: TerminalJob, until: Date): Promise<ReconcileStep> {
  const { jobId } = job;
  const now = deps.clock.now();
  const except = keptPrefixes(job, now);
  return sweep(
    deps,
    { job, until, markSwept: (swept) => markSwept(swept, now) },
    (options) => removeFinished(deps.files, jobPath(jobId), { except, ...options }),
    () => discardPublications(deps, job),
    (options) => deps.files.removeAll(workPrefix(jobId), options),
  );
}

/** Removes the files that the request of a job keeps for a time of their own, once that is over. */
export function removeEnded(
  deps: ReconcileJobDeps,
  { job, now, until }: { job: JobIn<'completed'>; now: Date; until: Date },
): Promise<ReconcileStep> {
  const removals = endedPrefixes(job, now).map(
    (prefix) => (options: RemovalOptions) => deps.files.removeAll(prefix, options),
  );
  return sweep(deps, { job, until, markSwept: (swept) => markEnded(swept, now) }, ...removals);
}

/**
 * Subtracts the usage of a deleted job, removes its files and logs, and with the last sweep its delivery attempts.
 * Until then a delivery may be running, and the journal prevents a second POST of an attempt.
 */
export function sweepDeleted(deps: ReconcileJobDeps, job: JobIn<'deleted'>, until: Date): Promise<ReconcileStep> {
  const now = deps.clock.now();
  return sweep(
    deps,
    { job, until, markSwept: (swept) => markTombstoneSwept(swept, now) },
    async () => {
      if (job.usage !== undefined) await countUsage(deps, job);
      return 'complete';
    },
    async () => {
      const { metadata } = job;
      if (metadata !== undefined) await deps.metadataIndex.remove({ ...job, metadata });
      return 'complete';
    },
    (options) => removeFinished(deps.files, jobPath(job.jobId), options),
    (options) => deps.logs.removeAll(job, options),
    async (options) => (mayHaveActiveWriters(job, now) ? 'complete' : deps.journal.removeAll(job, options)),
    () => removeStoredFiles(deps, job),
    () => discardPublications(deps, job),
    (options) => deps.files.removeAll(workPrefix(job.jobId), options),
  );
}
