import { JobError } from '@media-jobs/video/errors';
import { retryConflicts, retryUntil } from '../async.ts';
import type { WorkFiles } from '../jobs/chunked-ports.ts';
import { durations } from '../jobs/durations.ts';
import { renewPublishing, startPublishing } from '../jobs/execution-transitions.ts';
import type { JobRef } from '../jobs/ports.ts';
import { type Publication, publicationSchema } from '../jobs/publication.ts';
import { holdsLease, type JobIn } from '../jobs/record.ts';
import { outputPrefix } from '../jobs/retention.ts';
import { filePathOf } from '../jobs/stored-file.ts';
import { completionMsOf } from '../storage/upload-time.ts';
import type { StoringPorts, WorkerPorts } from '../worker/ports.ts';
import { abortAt, costSignal, startHeartbeat } from '../worker/worker-context.ts';
import { publicationStores } from './publication-stores.ts';

/** A job under the lease of this function, with the limits of its cost as far as the function has set them. */
export type HeldJob = JobRef & { leaseId: string; costLimitUsd?: number | undefined; filesUsd?: number | undefined };

/**
 * Records that a publication becomes visible: from then on the job can only complete with it or fail, and no other
 * attempt publishes. Renews the lease. Returns the record, whose publication may be that of another function of the same
 * attempt; undefined if the lease is lost.
 */
export async function claimPublishing(
  { jobs, clock }: WorkerPorts,
  { ownerId, jobId, leaseId, costLimitUsd, filesUsd }: HeldJob,
  publicationKey: string,
): Promise<PublishingJob | undefined> {
  // A heartbeat, a chunk's progress or reconcile may change the record between read and write.
  return retryConflicts(async () => {
    const job = await jobs.get({ ownerId, jobId });
    if (!holdsLease(leaseId, job)) return undefined;
    // The limits of transcode are only in its memory until now.
    const limits = costLimitUsd === undefined ? {} : { costLimitUsd, filesUsd };
    const change = startPublishing({ ...job, ...limits }, job.publishing ?? publicationKey, clock.now());
    return (await jobs.write(change)).written && change.job;
  });
}

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

/** Reads the publication of a job. Throws JobError `UPLOAD_ERROR` if it is gone. */
export async function readPublication(
  { files }: { files: { readText: WorkFiles['readText'] } },
  key: string,
): Promise<Publication> {
  const text = await files.readText(key);
  if (text === undefined)
    throw new JobError(
      'UPLOAD_ERROR',
      "The record of the job's uploads to its storage provider is gone: retry the job.",
    );
  return publicationSchema.parse(JSON.parse(text));
}

/**
 * Makes the files of a publication visible, in their order, while the lease is held. Idempotent.
 *
 * @throws JobError `UPLOAD_ERROR` if the provider rejects a file, or takes too long for all of them together; `COST_LIMIT`
 * once the job has reached its maximum cost
 */
export async function publish(
  deps: StoringPorts,
  { job, lease }: { job: PublishingJob; lease: PublishingLease },
  publication: Publication,
): Promise<void> {
  const { clock } = deps;
  const { uploads, mark } = publication;
  const ended = new AbortController();
  const signal = AbortSignal.any([lease.signal, ...publishingLimits(deps, job, { uploads, ended })]);
  try {
    const storeOf = publicationStores(deps.openObjectStore, job, publication);
    for (const upload of uploads) {
      signal.throwIfAborted();
      const { key, uploadId = '', etags = [], sizeBytes } = upload;
      const file = { key, uploadId, etags, sizeBytes };
      const store = await storeOf(upload);
      await retryUntil(clock, lease.end(), () => store.complete(file, mark, signal), signal);
    }
  } finally {
    ended.abort();
  }
}

/** Signals that abort when the provider has had its time, and once the job has reached its maximum cost. */
function publishingLimits(
  deps: StoringPorts,
  job: PublishingJob,
  { uploads, ended }: { uploads: Publication['uploads']; ended: AbortController },
): AbortSignal[] {
  const { clock } = deps;
  const maxMs = completionMsOf(uploads);
  const time = new Date(clock.now().getTime() + maxMs);
  const cancelled = ended.signal;
  const expired = abortAt(clock, { time, reason: tooSlow(maxMs), cancelled });
  const spent = costSignal(deps, job, cancelled);
  return spent === undefined ? [expired] : [expired, spent];
}

function tooSlow(maxMs: number): JobError {
  const message =
    `The storage provider is too slow: it did not complete the uploads within ${Math.round(maxMs / 1000)} seconds. ` +
    'Check the provider, then retry the job';
  return new JobError('UPLOAD_ERROR', message);
}

export function recordedResult(
  job: JobIn<'processing'>,
  { result }: Publication,
): Publication['result'] & { publication?: string } {
  const files = Object.entries(result.files).map(([name, file]) => [
    name,
    file.storage === undefined ? file : { ...file, key: outputPrefix(job) + filePathOf(file) },
  ]);
  return { ...result, publication: job.publishing, files: Object.fromEntries(files) };
}
