import type { WorkFiles } from '../../core/chunking/ports.ts';
import { JobError } from '../../core/errors.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { type Publication, publicationSchema } from '../../core/jobs/publication.ts';
import { startPublishing } from '../../core/jobs/publishing-transitions.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import { attemptPrefix, filenameOf } from '../../core/jobs/stored-file.ts';
import { retryUntil } from '../async/retry-until.ts';
import type { StoreResultDeps, WorkerDeps } from '../worker/worker-deps.ts';
import type { PublishingJob, PublishingLease } from './publishing-lease.ts';

/**
 * Records that a publication becomes visible: from then on the job can only complete with it or fail, and no other
 * attempt publishes. Renews the lease. Returns the record, whose publication may be that of another function of the same
 * attempt; undefined if the lease is lost.
 */
export async function claimPublishing(
  { jobs, clock }: WorkerDeps,
  { ownerId, jobId, leaseId }: JobRef & { leaseId: string },
  publicationKey: string,
): Promise<PublishingJob | undefined> {
  // A heartbeat, a chunk's progress or reconcile may change the record between read and write.
  return retryConflicts(async () => {
    const job = await jobs.get({ ownerId, jobId });
    if (!holdsLease(leaseId, job)) return undefined;
    const change = startPublishing(job, job.publishing ?? publicationKey, clock.now());
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
      "The record of the job's uploads to its storage provider is gone: retry the job.",
    );
  return publicationSchema.parse(JSON.parse(text));
}

/** Makes the files of a publication visible, in their order, while the lease is held. Idempotent. */
export async function publish(
  { openObjectStore, clock }: StoreResultDeps,
  { ownerId, lease }: { ownerId: string; lease: PublishingLease },
  { storageProviderId, uploads, mark }: Publication,
): Promise<void> {
  const store = await openObjectStore({ ownerId, storageProviderId });
  for (const { key, uploadId = '', etags = [], sizeBytes } of uploads) {
    lease.signal.throwIfAborted();
    await retryUntil(clock, lease.end(), () => store.complete({ key, uploadId, etags, sizeBytes }, mark));
  }
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
