import { JobError } from '../../core/errors.ts';
import { addMs } from '../../core/jobs/durations.ts';
import { complete, failOrReject, type Termination } from '../../core/jobs/ending-transitions.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { keepsFilesOf } from '../../core/jobs/kept-files.ts';
import { maxIndexLagSeconds } from '../../core/jobs/lanes.ts';
import { failureOutcome } from '../../core/jobs/outcome.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { attemptPrefix } from '../../core/jobs/stored-file.ts';
import { requeueForLongLane } from '../../core/jobs/transitions.ts';
import { affordableMs, exceededCost } from '../../core/pricing/cost-limit.ts';
import { removeWorkFiles } from '../chunked/cleanup.ts';
import { type Published, publishResult } from '../publish/publish-result.ts';
import { UndeliveredError } from '../publish/upload-to-provider.ts';
import { retryUntil } from '../terminate-job/retry-until.ts';
import { terminateJob, wasCompletedByAttempt } from '../terminate-job/terminate-job.ts';
import { holdLease, type Lease } from '../worker/lease.ts';
import { recordInputs, recordRuns, storeRunLog } from '../worker/run-log.ts';
import type { TranscodeDeps } from '../worker/worker-deps.ts';
import { claimNextJob } from './claim-job.ts';
import { laneOfJob } from './lane-of-job.ts';
import { processJob } from './process-job.ts';
import { type StoredChunkPlan, startExecution } from './start-execution.ts';

export type TranscodeResult = TerminalJob['state'] | 'ignored' | 'lost' | 'delegated' | 'waits-for-permit';

/** The result of `processJob`, or the error that it threw. */
type Processed = JobResult | { chunkPlan: StoredChunkPlan } | Published | { error: unknown };

/**
 * Claims the next job, processes it before `deadline` and ends it, or delegates it to an execution that encodes chunks.
 * A repeated message is ignored. If the lease is lost, the result is discarded and the attempt's files are removed.
 */
export function transcode(
  deps: TranscodeDeps,
): (message: JobRef, deadline: Date) => Promise<TranscodeResult> {
  return async (message, deadline) => {
    const claimed = await claimNextJob(deps, message);
    if (claimed === undefined) return 'ignored';
    // Disposed after the terminal write: it does not wait for the removal, and no cleanup error fails a finished job.
    await using workspaces = new AsyncDisposableStack();
    const openWorkspace = async () => {
      const workspace = await deps.openWorkspace();
      workspaces.defer(() => workspace.remove().catch((cause) => deps.onUnexpected(claimed, cause)));
      return workspace;
    };
    const lease = holdLease(deps, claimed);
    const deadlineTimer = new AbortController();
    const limits = limitSignals(deps, claimed, { deadline, cancelled: deadlineTimer.signal });
    const lane = laneOfJob(deps, claimed, { lease, deadline });
    const signal = AbortSignal.any([lease.signal, lane.signal, ...limits]);
    const { encoder, runs } = recordRuns(deps.encoder);
    const { download, inputs } = recordInputs(deps.download);
    const { expectSeconds } = lane;
    const context = { job: claimed, report: lease.report, signal, deadline, expectSeconds };
    const processed = await processJob({ ...deps, encoder, download, openWorkspace }, context).catch(
      (error: unknown): Processed => ({ error }),
    );
    deadlineTimer.abort();
    await lane.stop();
    const job = await lease.release();
    const waits = lane.isFull() && 'error' in processed;
    if (!waits) await storeRunLog(deps, job, { inputs, runs });
    const result = lease.signal.aborted
      ? 'lost'
      : await (waits ? waitForPermit(deps, job) : finishAttempt(deps, { job, processed, lease }));
    // What is published or waits for a retry is kept; reconcile removes the rest.
    const keepsFiles =
      'publicationKey' in processed ||
      ('error' in processed && processed.error instanceof UndeliveredError && result === 'failed');
    if (!keepsFiles && ['lost', 'failed', 'waits-for-permit'].includes(result))
      await removeAttemptFiles(deps, job);
    // An earlier attempt may have left chunks.
    else if (result !== 'delegated' && job.attempt > 1) await removeWorkFiles(deps, job);
    return result;
  };
}

type Attempt = { job: JobIn<'processing'>; processed: Processed; lease: Lease };

async function finishAttempt(
  deps: TranscodeDeps,
  { job, processed, lease }: Attempt,
): Promise<Exclude<TranscodeResult, 'ignored' | 'waits-for-permit'>> {
  if ('chunkPlan' in processed) return startExecution(deps, job, processed.chunkPlan);
  if ('publicationKey' in processed) return publishResult(deps, job, processed);
  const leaseEnd = new Date(job.dueAt);
  if ('error' in processed) {
    const outcome = failureOutcome(processed.error, lease.stage());
    if (outcome.error.code === 'INTERNAL_ERROR') deps.onUnexpected(job, processed.error);
    const { undelivered } = processed.error instanceof UndeliveredError ? processed.error : {};
    const failure = undelivered === undefined ? outcome : { ...outcome, undelivered };
    const transition = (termination: Termination) => failOrReject(job, failure, termination);
    const end = await terminateJob(deps, job, transition, { until: leaseEnd });
    return end.written || keepsFilesOf(job, end.current) ? outcome.state : 'lost';
  }
  const filesExpireAt = addMs(deps.clock.now(), deps.retentionMs);
  const result = { ...processed, filesExpireAt };
  const transition = (termination: Termination) => complete(job, result, termination);
  const end = await terminateJob(deps, job, transition, { until: leaseEnd });
  return end.written || wasCompletedByAttempt(job, end.current) ? 'completed' : 'lost';
}

/** Requeues a long job. Its message comes once the index lists it, so that each permit that is freed from now on finds it. */
async function waitForPermit(
  { jobs, queue, clock, onUnexpected }: TranscodeDeps,
  job: JobIn<'processing'>,
): Promise<'waits-for-permit' | 'lost'> {
  const change = requeueForLongLane(job, clock.now());
  const { written } = await retryUntil(clock, new Date(job.dueAt), () => jobs.write(change));
  if (!written) return 'lost';
  await queue.send(job, { delaySeconds: maxIndexLagSeconds }).catch((cause) => onUnexpected(job, cause));
  return 'waits-for-permit';
}

/** Removes the files and chunks of this attempt. Reconcile's sweep removes what an error leaves behind. */
async function removeAttemptFiles(deps: TranscodeDeps, job: JobIn<'processing'>): Promise<void> {
  await deps.files
    .removeAll(attemptPrefix(job.jobId, job.attempt))
    .catch((cause) => deps.onUnexpected(job, cause));
  await removeWorkFiles(deps, job);
}

/** Signals that abort at the deadline, and when the job has cost what it may: before Lambda ends the function. */
function limitSignals(
  { clock, pricedStage }: TranscodeDeps,
  job: JobIn<'processing'>,
  { deadline, cancelled }: { deadline: Date; cancelled: AbortSignal },
): AbortSignal[] {
  const abortAt = (at: number, reason: JobError) => {
    const expired = new AbortController();
    void clock.sleep(at - clock.now().getTime(), cancelled).then(() => {
      if (!cancelled.aborted) expired.abort(reason);
    });
    return expired.signal;
  };
  const message =
    'The job needs more time than one run of the worker has; use a faster preset or a shorter input.';
  const timeout = abortAt(deadline.getTime(), new JobError('TIMEOUT', message));
  const affordable = affordableMs(job, pricedStage);
  if (affordable === Number.POSITIVE_INFINITY) return [timeout];
  return [timeout, abortAt(Date.parse(job.claimedAt) + affordable, exceededCost(job.request))];
}
