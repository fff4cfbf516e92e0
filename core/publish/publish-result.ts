import type { Workspace } from '@media-jobs/video/ffmpeg';
import { failureOutcome } from '../jobs/outcome.ts';
import type { JobRef } from '../jobs/ports.ts';
import type { Publication } from '../jobs/publication.ts';
import type { JobIn, Unpublished } from '../jobs/record.ts';
import { outputPrefix, ruledEnd } from '../jobs/retention.ts';
import { filePathOf } from '../jobs/stored-file.ts';
import { complete, failOrReject } from '../jobs/termination.ts';
import { type TerminateJobDeps, terminateJob, wasCompletedByAttempt } from '../termination/terminate-job.ts';
import type { DescribedOutput } from '../worker/outputs.ts';
import type { StoringPorts, WorkerPorts } from '../worker/ports.ts';
import type { WorkerContext } from '../worker/worker-context.ts';
import { discardPublication } from './discard-publication.ts';
import {
  claimPublishing,
  type HeldJob,
  holdPublishingLease,
  publish,
  readPublication,
  recordedResult,
} from './publish.ts';
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
      ? await keepForRetry(
          deps,
          { job, report: () => undefined, signal: lease.signal, deadline: lease.end() },
          { cause: failure.error, ...finished },
        )
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
  const { written } = await terminateJob(deps, job, (ending) => failOrReject(job, failure, ending), { until });
  if (!written) return 'lost';
  await discardPublication(deps, job, publication);
  return 'failed';
}

/**
 * Fetches the encoded files of the retried job from the media bucket, so that nothing is encoded again. Undefined if one of
 * them is gone.
 */
export async function fetchUnpublished(
  { files }: WorkerPorts,
  { job, report, signal }: WorkerContext,
  { unpublished, workspace }: { unpublished: Unpublished; workspace: Workspace },
): Promise<FinishedResult | undefined> {
  const { files: stored, ...result } = unpublished.result;
  report({ stage: 'downloading', fraction: 0 });
  const directory = await workspace.makeDirectory('unpublished');
  const outputs: DescribedOutput[] = [];
  for (const [name, file] of Object.entries(stored)) {
    const path = `${directory}/${outputs.length}`;
    const found = await files.download({ key: file.key, path, signal });
    if (found === undefined) return undefined;
    const key = outputPrefix(job) + filePathOf(file);
    outputs.push({ name, path, sizeBytes: found.bytes, file: { ...file, key } });
  }
  return { outputs, result };
}
