import { addMs, durations, nextDue } from './durations.ts';
import type { JobChange } from './guard.ts';
import { keepsStepsUntil, keptSteps } from './kept-files.ts';
import { publicationMark, publicationOrder } from './publication.ts';
import type { JobIn, TerminalJob } from './record.ts';
import { nextRemoval } from './retention.ts';
import { filenameOf, type StoredFilesToRemove } from './stored-file.ts';
import { postpone } from './transitions.ts';
import { usageOf } from './usage.ts';

/** The transitions of an ended job whose files are removed: the sweep of lost attempts, and the deletion of the job. */

/** Records that the files of all attempts but the completed one are removed. */
export function markSwept(job: TerminalJob, now: Date): JobChange<TerminalJob> {
  const { sweepAt: _, dueAt: __, ...rest } = job;
  // Finished outputs that are kept for a retry are removed later.
  const sweepAt = keptSteps(job, now) === undefined ? undefined : keepsStepsUntil(job);
  const { completedSteps: ___, ...without } = 'completedSteps' in rest ? rest : { ...rest, completedSteps: undefined };
  const swept = sweepAt === undefined ? without : { ...rest, sweepAt };
  return { guard: { state: job.state, dueAt: job.dueAt ?? null }, job: { ...swept, ...nextDue(swept) } };
}

/** Records that the files are removed which had ended at `now`. */
export function markEnded(job: JobIn<'completed'>, now: Date): JobChange<JobIn<'completed'>> {
  const { removeAt: _, dueAt: __, ...rest } = job;
  const left = { ...rest, removeAt: nextRemoval(job, now) };
  return { guard: { state: job.state, dueAt: job.dueAt ?? null }, job: { ...left, ...nextDue(left) } };
}

/**
 * Delays a sweep because the storage provider did not respond. Each wait is as long as the time since the end or the
 * deletion of the job, so it doubles, up to an hour. The caller has subtracted the usage of a deleted job.
 */
export function postponeForProvider(job: TerminalJob | JobIn<'deleted'>, now: Date): JobChange {
  const since = job.state === 'deleted' ? job.deletedAt : job.completedAt;
  const { postponeMs, maxProviderWaitMs } = durations;
  const waitMs = Math.min(Math.max(now.getTime() - Date.parse(since), postponeMs), maxProviderWaitMs);
  const sweepAt = addMs(now, waitMs);
  const postponed =
    job.state === 'deleted' ? { ...withoutUsage(job), dueAt: sweepAt } : { ...job, ...nextDue({ ...job, sweepAt }) };
  return { ...postpone(job, now), job: postponed };
}

/**
 * Replaces a job with a tombstone. Reconcile removes the files and logs at once, and everything again when no worker and
 * no delivery that began before the deletion can be running.
 *
 * @param storedFiles the files at the job's storage provider, if they are to be removed too
 */
export function deleteJob(job: TerminalJob, now: Date, storedFiles?: StoredFilesToRemove): JobChange<JobIn<'deleted'>> {
  const workersEndMs = Date.parse(
    job.sweepAt ?? addMs(new Date(job.claimedAt ?? job.createdAt), durations.sweepAfterClaimMs),
  );
  const deliveriesEndMs = now.getTime() + durations.sweepAfterDeleteMs;
  return {
    // The guard keeps a write that has counted the job's usage since the read.
    guard: { state: job.state, dueAt: job.dueAt ?? null },
    job: {
      ownerId: job.ownerId,
      jobId: job.jobId,
      state: 'deleted',
      events: job.events,
      destination: job.destination,
      ...(job.state === 'completed' && job.publication !== undefined ? { publication: job.publication } : {}),
      storedFiles,
      // Jobs of earlier versions were not counted.
      ...(job.usageCounted === undefined ? {} : { usage: usageOf(job), usageCounted: job.usageCounted }),
      spendingCaps: job.spendingCaps,
      ...(job.request.metadata && { metadata: job.request.metadata }),
      deletedAt: now.toISOString(),
      sweepAt: new Date(Math.max(workersEndMs, deliveriesEndMs)).toISOString(),
      dueAt: now.toISOString(),
      expiresAt: secondsAfter(now, durations.unsweptTombstoneMs),
    },
  };
}

/** The files of a job at its storage providers. Undefined if it has none there. */
export function storedFilesOf(job: TerminalJob): StoredFilesToRemove | undefined {
  if (job.state !== 'completed' || job.publication === undefined) return undefined;
  const files = Object.values(job.files).map((file) => ({ ...file, filename: filenameOf(file) }));
  // In reverse: a playlist disappears before the files that it names.
  const stored = publicationOrder(files)
    .reverse()
    .flatMap(({ storage }) => storage ?? []);
  const isOther = ({ storageProviderId }: { storageProviderId: string }) =>
    storageProviderId !== job.destination?.storageProviderId;
  const others = stored.filter(isOther).map(({ storageProviderId, key }) => ({ storageProviderId, key }));
  return {
    mark: publicationMark(job.jobId, job.publication),
    keys: stored.filter((file) => !isOther(file)).map(({ key }) => key),
    ...(others.length > 0 && { others }),
  };
}

/** Whether a worker or a delivery that began before the deletion may be running at `now`. */
export function mayHaveActiveWriters({ sweepAt }: JobIn<'deleted'>, now: Date): boolean {
  return now.toISOString() < sweepAt;
}

/**
 * Records the sweep of a deleted job, whose usage and index entries the caller has removed. Another follows at `sweepAt` if something may
 * still be written. The last one sets the time at which the tombstone expires.
 */
export function markTombstoneSwept(job: JobIn<'deleted'>, now: Date): JobChange<JobIn<'deleted'>> {
  const { dueAt, ...rest } = withoutUsage(job);
  return {
    guard: { state: 'deleted', dueAt: dueAt ?? null },
    job: mayHaveActiveWriters(job, now)
      ? { ...rest, dueAt: job.sweepAt }
      : { ...rest, expiresAt: secondsAfter(now, durations.tombstoneMs) },
  };
}

function withoutUsage(job: JobIn<'deleted'>): JobIn<'deleted'> {
  const { usage: _, usageCounted: __, spendingCaps: ___, metadata: ____, ...rest } = job;
  return rest;
}

/** Epoch seconds. */
function secondsAfter(now: Date, ms: number): number {
  return Math.ceil((now.getTime() + ms) / 1000);
}
