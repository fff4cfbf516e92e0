import { failureOutcome } from '../jobs/outcome.ts';
import type { JobRef } from '../jobs/ports.ts';
import type { Publication } from '../jobs/publication.ts';
import type { JobIn, Unpublished } from '../jobs/record.ts';
import { ruledEnd } from '../jobs/retention.ts';
import { complete, failOrReject } from '../jobs/termination.ts';
import { type TerminateJobDeps, terminateJob, wasCompletedByAttempt } from '../termination/terminate-job.ts';
import type { StoringPorts } from '../worker/ports.ts';
import type { WorkerContext } from '../worker/worker-context.ts';
import { discardPublication } from './discard-publication.ts';
import { claimPublishing, type HeldJob, publish, readPublication, recordedResult } from './publish.ts';
import { holdPublishingLease, type PublishingJob, type PublishingLease } from './publishing-lease.ts';
import { type FinishedResult, keepForRetry, UnpublishedError } from './store-result.ts';

type PublishDeps = StoringPorts & TerminateJobDeps;

/** The key of a publication, and its files if they are still on this disk or wait in the media bucket. */
export type PendingPublication = {
  publicationKey: string;
  finished?: FinishedResult;
  unpublished?: Unpublished | undefined;
};

/**
 * Makes a publication visible and completes its job. Another function of the same attempt may publish its own first: then
 * this one is discarded, and that one completed. If the provider rejects it, everything is removed and the job fails.
 */
export async function publishResult(
  deps: PublishDeps,
  held: HeldJob,
  { publicationKey, finished, unpublished }: PendingPublication,
): Promise<'completed' | 'failed' | 'lost'> {
  const own = await readPublication(deps, publicationKey);
  const job = await claimPublishing(deps, held, publicationKey);
  if (job === undefined) {
    await discardUnlessPublishing(deps, held, { publication: own, publicationKey });
    return 'lost';
  }
  const isOwn = job.publishing === publicationKey;
  if (!isOwn) await discardPublication(deps, job, own);
  const publication = isOwn ? own : await readPublication(deps, job.publishing);
  const lease = holdPublishingLease(deps, job);
  const failure = await publish(deps, { job, lease }, publication).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  // Under the lease: the files may be large.
  const kept =
    failure && isOwn && finished
      ? await keepForRetry(deps, contextOf(job, lease), { cause: failure.error, ...finished })
      : undefined;
  const published = await lease.release();
  if (published === undefined) return 'lost';
  if (failure !== undefined) {
    const waiting = kept instanceof UnpublishedError ? kept.unpublished : unpublished;
    return failPublishing(deps, published, { publication, error: failure.error, unpublished: waiting });
  }
  const result = recordedResult(published, publication);
  const filesExpireAt = ruledEnd(published, deps.clock.now(), deps.retentionMs);
  const ended = await terminateJob(
    deps,
    published,
    (ending) => complete(published, { ...result, filesExpireAt }, ending),
    { until: lease.end() },
  );
  return ended.written || wasCompletedByAttempt(published, ended.current) ? 'completed' : 'lost';
}

/** The lease is lost: another attempt may be publishing the same uploads. */
async function discardUnlessPublishing(
  deps: PublishDeps,
  ref: JobRef,
  { publication, publicationKey }: { publication: Publication; publicationKey: string },
): Promise<void> {
  const current = await deps.jobs.get(ref);
  const isPublished =
    current?.state === 'completed' ||
    ((current?.state === 'queued' || current?.state === 'processing') && current.publishing === publicationKey);
  if (!isPublished) await discardPublication(deps, ref, publication);
}

/** Fails a job whose provider did not complete its uploads. Its files that are in the media bucket wait for a retry. */
async function failPublishing(
  deps: PublishDeps,
  job: JobIn<'processing'>,
  {
    publication,
    error,
    unpublished,
  }: { publication: Publication; error: unknown; unpublished?: Unpublished | undefined },
): Promise<'failed' | 'lost'> {
  const outcome = failureOutcome(error, 'uploading');
  if (outcome.error.code === 'INTERNAL_ERROR') deps.onUnexpected(job, error);
  const failure = unpublished === undefined ? outcome : { ...outcome, unpublished };
  const until = new Date(job.dueAt);
  const { written } = await terminateJob(deps, job, (ending) => failOrReject(job, failure, ending), {
    until,
  });
  if (!written) return 'lost';
  await discardPublication(deps, job, publication);
  return 'failed';
}

function contextOf(job: PublishingJob, { signal, end }: PublishingLease): WorkerContext {
  return { job, report: () => undefined, signal, deadline: end() };
}
