import { JobError } from '@media-jobs/video/errors';
import { recordRuns } from '@media-jobs/video/ffmpeg';
import { removeWorkFiles } from '../../core/chunked/cleanup.ts';
import { addMs } from '../../core/jobs/durations.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { keepsFilesOf } from '../../core/jobs/kept-files.ts';
import { failureOutcome } from '../../core/jobs/outcome.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { attemptPrefix } from '../../core/jobs/stored-file.ts';
import { complete, failOrReject, type Termination } from '../../core/jobs/termination.ts';
import { requeue } from '../../core/jobs/transitions.ts';
import { type PendingPublication, publishResult } from '../../core/publish/publish-result.ts';
import { UnpublishedError } from '../../core/publish/store-result.ts';
import { terminateJob, wasCompletedByAttempt } from '../../core/termination/terminate-job.ts';
import { holdLease, type Lease } from '../../core/worker/lease.ts';
import { type AttemptRecord, recordInputs } from '../../core/worker/run-log.ts';
import { limitSignals } from '../../core/worker/time-limits.ts';
import type { EncodeJobDeps } from '../../core/worker/worker-deps.ts';
import { type CostLimits, signal } from './money.ts';
import { requeueJob } from './requeue-job.ts';
import type { StoredChunkPlan } from './start-execution.ts';
import { waitForHost } from './wait-for-host.ts';

/** The next attempt leaves time for the end of an outage. */
const outageDelaySeconds = 30;

/** Longer than any file name. Bounds the record. */
const maxSourceNameCharacters = 512;

/** An attempt at a job under the lease of its worker. Disposal removes its workspaces. */
export type Attempt<Deps extends EncodeJobDeps> = AsyncDisposable & {
  /** Dependencies that record the runs, downloads and workspaces of this attempt. */
  deps: Deps;
  lease: Lease;
  /** Each aborts the attempt: the lease is lost, the deadline has passed, or the job has reached its maximum cost. */
  signals: AbortSignal[];
  record: AttemptRecord;
  /** Limits the cost of the job from now on, here and on each worker that it is delegated to. Returns it with the limits. */
  limitCost(job: JobIn<'processing'>, limits: CostLimits): JobIn<'processing'>;
  /** Writes the file name that the host of the source states into the record, and returns the job with it. */
  nameSource(statedName: string | undefined): JobIn<'processing'>;
  /** Stops heartbeats and limits; returns the job as the lease released it. */
  stop(): Promise<JobIn<'processing'>>;
};

/**
 * Begins an attempt at a claimed job. Dispose it after the terminal write, which then does not wait for the removal. Errors
 * of the removal are reported, not thrown.
 */
export function beginAttempt<Deps extends EncodeJobDeps>(
  deps: Deps,
  claimed: JobIn<'processing'>,
  deadline: Date,
): Attempt<Deps> {
  const workspaces = new AsyncDisposableStack();
  const openWorkspace = async () => {
    const workspace = await deps.openWorkspace();
    workspaces.defer(() => workspace.remove().catch((cause) => deps.onUnexpected(claimed, cause)));
    return workspace;
  };
  const lease = holdLease(deps, claimed);
  const timers = new AbortController();
  const limits = limitSignals(deps, claimed, { deadline, cancelled: timers.signal });
  const overspent = new AbortController();
  let costLimits: CostLimits = {};
  let { sourceName } = claimed;
  let superseded = new AbortController();
  const { encoder, runs } = recordRuns(deps.encoder);
  const { download, inputs } = recordInputs(deps.download);
  return {
    deps: { ...deps, encoder, download, openWorkspace },
    lease,
    signals: [lease.signal, ...limits, overspent.signal],
    record: { inputs, runs },
    limitCost(job, limits) {
      if (Object.keys(limits).length === 0) return job;
      costLimits = { ...costLimits, ...limits };
      superseded.abort();
      superseded = new AbortController();
      const cancelled = AbortSignal.any([timers.signal, superseded.signal]);
      const spent = signal(deps, { ...claimed, ...costLimits }, cancelled);
      spent?.addEventListener('abort', () => overspent.abort(spent.reason));
      return { ...job, ...limits };
    },
    nameSource(statedName) {
      sourceName = statedName?.slice(0, maxSourceNameCharacters) ?? sourceName;
      return sourceName === undefined ? claimed : { ...claimed, sourceName };
    },
    async stop() {
      timers.abort();
      const job = await lease.release();
      return { ...job, ...costLimits, ...(sourceName === undefined ? {} : { sourceName }) };
    },
    [Symbol.asyncDispose]: () => workspaces.disposeAsync(),
  };
}

/** What a phase of an attempt needs to limit the cost of its job. */
export type CostContext = Pick<Attempt<EncodeJobDeps>, 'limitCost'>;

/** The result of processing a job, or the error that was thrown. */
export type Processed = JobResult | PendingPublication | { error: unknown };

export type EndingAttempt = {
  /** As the lease released it. */
  job: JobIn<'processing'>;
  processed: Processed;
  lease: Pick<Lease, 'stage'>;
  /** Whether the attempt may leave a copy of the source. */
  leavesCopy?: boolean;
};

/**
 * Ends a job whose worker holds its lease: completes it, makes its publication visible, fails or rejects it, or requeues it
 * until the host of a source accepts requests again.
 */
export async function endAttempt(
  deps: EncodeJobDeps,
  { job, processed, lease, leavesCopy = false }: EndingAttempt,
): Promise<TerminalJob['state'] | 'lost' | 'requeued'> {
  if ('publicationKey' in processed) return publishResult(deps, job, processed);
  const leaseEnd = new Date(job.dueAt);
  if ('error' in processed) {
    const waits = await waitForHost(deps, job, processed.error);
    if (waits !== undefined) return waits;
    const outcome = failureOutcome(processed.error, lease.stage());
    // The owner does not read the cause of an error of the service: the operator finds it in the log.
    if (!(processed.error instanceof JobError) || outcome.error.code === 'INTERNAL_ERROR')
      deps.onUnexpected(job, processed.error);
    const { unpublished } = processed.error instanceof UnpublishedError ? processed.error : {};
    const failure = unpublished === undefined ? outcome : { ...outcome, unpublished };
    const transition = (termination: Termination) =>
      failOrReject(job, failure, { ...termination, leavesCopy });
    const end = await terminateJob(deps, job, transition, { until: leaseEnd });
    return end.written || keepsFilesOf(job, end.current) ? outcome.state : 'lost';
  }
  const filesExpireAt = addMs(deps.clock.now(), deps.retentionMs);
  const result = { ...processed, filesExpireAt };
  const transition = (termination: Termination) => complete(job, result, { ...termination, leavesCopy });
  const end = await terminateJob(deps, job, transition, { until: leaseEnd });
  return end.written || wasCompletedByAttempt(job, end.current) ? 'completed' : 'lost';
}

/**
 * Requeues a job because a service of AWS was not available for longer than its worker waits. The guard is the lease: no
 * worker was lost.
 */
export function requeueAfterOutage(
  deps: EncodeJobDeps,
  job: JobIn<'processing'>,
  error: unknown,
): Promise<'requeued' | 'lost'> {
  deps.onUnexpected(job, error);
  const change = { ...requeue(job, deps.clock.now()), guard: { leaseId: job.leaseId } };
  return requeueJob(deps, job, { change, delaySeconds: outageDelaySeconds });
}

export type AttemptResult = TerminalJob['state'] | 'lost' | 'requeued' | 'waits-for-permit' | 'delegated';

/** Whether an attempt with this result has stored files that nobody needs. */
const leavesFiles = {
  completed: false,
  rejected: false,
  cancelled: false,
  delegated: false,
  failed: true,
  lost: true,
  requeued: true,
  'waits-for-permit': true,
} as const satisfies Record<AttemptResult, boolean>;

/** Removes what an attempt leaves and nobody needs. Reconcile's sweep removes what an error leaves behind. */
export async function cleanUpAttempt(
  deps: EncodeJobDeps,
  job: JobIn<'processing'>,
  { processed, result }: { processed: Processed | { chunkPlan: StoredChunkPlan }; result: AttemptResult },
): Promise<void> {
  if (leavesFiles[result] && !keepsFiles(processed, result)) await removeAttemptFiles(deps, job);
  // An earlier attempt may have left chunks.
  else if (result !== 'delegated' && job.attempt > 1) await removeWorkFiles(deps, job);
}

/** Whether files of an attempt stay: they are published, or wait for a retry. */
function keepsFiles(processed: Processed | { chunkPlan: StoredChunkPlan }, result: AttemptResult): boolean {
  if ('publicationKey' in processed) return true;
  return 'error' in processed && processed.error instanceof UnpublishedError && result === 'failed';
}

/** Removes the files and chunks of this attempt. */
async function removeAttemptFiles(deps: EncodeJobDeps, job: JobIn<'processing'>): Promise<void> {
  await deps.files
    .removeAll(attemptPrefix(job.jobId, job.attempt))
    .catch((cause) => deps.onUnexpected(job, cause));
  await removeWorkFiles(deps, job);
}
