import type { WorkFiles } from '../../core/chunking/ports.ts';
import { JobError } from '../../core/errors.ts';
import { durations } from '../../core/jobs/durations.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { type Publication, publicationSchema } from '../../core/jobs/publication.ts';
import { renewPublishing, startPublishing } from '../../core/jobs/publishing-transitions.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import { attemptPrefix, filenameOf } from '../../core/jobs/stored-file.ts';
import { retryUntil } from '../async/retry-until.ts';
import type { StoreResultDeps, WorkerDeps } from '../worker/worker-deps.ts';

/**
 * Records that a publication becomes visible: from then on the job can only complete with it or fail, and no other
 * attempt publishes. Returns the record, whose publication may be that of another function of the same attempt; undefined
 * if the lease is lost.
 */
export async function claimPublishing(
  { jobs, clock }: WorkerDeps,
  { ownerId, jobId, leaseId }: JobRef & { leaseId: string },
  publicationKey: string,
): Promise<(JobIn<'processing'> & { publishing: string }) | undefined> {
  // A heartbeat, a chunk's progress or reconcile may change the record between read and write.
  return retryConflicts(async () => {
    const job = await jobs.get({ ownerId, jobId });
    if (!holdsLease(leaseId, job)) return undefined;
    if (job.publishing !== undefined) return { ...job, publishing: job.publishing };
    const change = startPublishing(job, publicationKey, clock.now());
    return (await jobs.write(change)).written && change.job;
  });
}

/** Reads the publication of a job. Throws JobError `UPLOAD_ERROR` if it is gone. */
export async function readPublication(
  { workFiles }: { workFiles: Pick<WorkFiles, 'readText'> },
  key: string,
): Promise<Publication> {
  const text = await workFiles.readText(key);
  if (text === undefined)
    throw new JobError(
      'UPLOAD_ERROR',
      'The record of its uploads to the storage provider is gone: retry the job.',
    );
  return publicationSchema.parse(JSON.parse(text));
}

/**
 * Makes the files of a publication visible, in their order, and renews the lease. Idempotent. Returns the record; undefined
 * if the lease is lost: then another function does the same.
 */
export async function publish(
  { openObjectStore, jobs, clock }: StoreResultDeps,
  claimed: JobIn<'processing'> & { publishing: string },
  publication: Publication,
): Promise<(JobIn<'processing'> & { publishing: string }) | undefined> {
  const { storageProviderId, uploads, mark } = publication;
  const store = await openObjectStore({ ownerId: claimed.ownerId, storageProviderId });
  let job = claimed;
  for (const { key, uploadId = '', etags = [], sizeBytes } of uploads) {
    if (Date.parse(job.dueAt) - clock.now().getTime() < durations.leaseMs / 2) {
      const renewal = renewPublishing(job, clock.now());
      if (!(await jobs.write(renewal)).written) return undefined;
      job = { ...renewal.job, publishing: job.publishing };
    }
    const until = new Date(job.dueAt);
    await retryUntil(clock, until, () => store.complete({ key, uploadId, etags, sizeBytes }, mark));
  }
  return job;
}

/** The result of a publication for the record of its job. */
export function recordedResult(
  { jobId, attempt, publishing }: JobIn<'processing'>,
  { result }: Publication,
): Publication['result'] & { publication?: string } {
  const files = Object.entries(result.files).map(([name, file]) => [
    name,
    { ...file, key: attemptPrefix(jobId, attempt) + filenameOf(file) },
  ]);
  return { ...result, publication: publishing, files: Object.fromEntries(files) };
}
