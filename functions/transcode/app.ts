import { JobError } from '../../core/errors.ts';
import { addMs } from '../../core/jobs/durations.ts';
import { failureOutcome } from '../../core/jobs/outcome.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { attemptPrefix } from '../../core/jobs/stored-file.ts';
import { complete, failOrReject } from '../../core/jobs/transitions.ts';
import { removeWorkFiles } from '../chunked/remove-work-files.ts';
import { type TerminateJobDeps, terminateJob } from '../terminate-job/terminate-job.ts';
import { wasCompletedByAttempt } from '../terminate-job/was-completed-by.ts';
import { holdLease, type Lease } from '../worker/lease.ts';
import { recordRuns } from '../worker/record-runs.ts';
import { type StoreLogDeps, storeLog } from '../worker/store-log.ts';
import { claimJob } from './claim.ts';
import type { PlanChunkedWorkDeps } from './plan-chunked-work.ts';
import { type JobResult, processJob, type WorkerDeps } from './process-job.ts';
import { type StartExecutionDeps, type StoredChunkPlan, startExecution } from './start-execution.ts';
import type { StoreChunkPlanDeps } from './store-chunk-plan.ts';

export type TranscodeDeps = TerminateJobDeps &
  WorkerDeps &
  PlanChunkedWorkDeps &
  StoreChunkPlanDeps &
  StartExecutionDeps &
  StoreLogDeps & {
    /** How long finished files are kept before the bucket's lifecycle removes them, in milliseconds. */
    retentionMs: number;
    /** Told of an error that its owner only sees as `INTERNAL_ERROR`, and of files that could not be removed. */
    onUnexpected: (ref: JobRef, cause: unknown) => void;
  };

export type TranscodeResult = TerminalJob['state'] | 'ignored' | 'lost' | 'delegated';

type Work = JobResult | { parts: StoredChunkPlan } | { error: unknown };

/**
 * Does a queued job's work and ends it, before `deadline`, or hands it over to be done in parts. A repeated message is
 * ignored; a job that is taken from this worker meanwhile is dropped, with what it wrote.
 */
export function transcode(ports: TranscodeDeps): (ref: JobRef, deadline: Date) => Promise<TranscodeResult> {
  return async (ref, deadline) => {
    const claimed = await claimJob(ports, ref);
    if (claimed === undefined) return 'ignored';
    // Removed after the job's end is written: nobody should wait for that, and a finished job cannot fail by it.
    await using leftovers = new AsyncDisposableStack();
    const openWorkspace = async () => {
      const workspace = await ports.openWorkspace();
      leftovers.defer(() => workspace.remove().catch((cause) => ports.onUnexpected(claimed, cause)));
      return workspace;
    };
    const lease = holdLease(ports, claimed);
    const done = new AbortController();
    const signal = AbortSignal.any([lease.signal, timeOut(ports, deadline, done.signal)]);
    const { encoder, runs } = recordRuns(ports.encoder);
    const context = { job: claimed, lease, signal, deadline };
    const work = await processJob({ ...ports, encoder, openWorkspace }, context).then(
      (done): Work => done,
      (error: unknown): Work => ({ error }),
    );
    done.abort();
    const job = await lease.release();
    // Before the end is written, so that whoever sees it finds the log.
    await storeLog(ports, job, runs).catch((cause) => ports.onUnexpected(job, cause));
    const state = lease.signal.aborted ? 'lost' : await finish(ports, job, work, lease);
    if (state === 'lost' || state === 'failed') await discard(ports, job);
    // An attempt before this one may have been in parts.
    else if (state !== 'delegated' && job.attempt > 1) await removeWorkFiles(ports, job);
    return state;
  };
}

async function finish(
  ports: TranscodeDeps,
  job: JobIn<'processing'>,
  work: Work,
  lease: Lease,
): Promise<Exclude<TranscodeResult, 'ignored'>> {
  if ('parts' in work) return startExecution(ports, job, work.parts);
  const until = new Date(job.dueAt);
  if ('files' in work) {
    const filesExpireAt = addMs(ports.clock.now(), ports.retentionMs);
    const result = { ...work, filesExpireAt };
    const ended = await terminateJob(ports, job, (ending) => complete(job, result, ending), { until });
    return ended.written || wasCompletedByAttempt(job, ended.current) ? 'completed' : 'lost';
  }
  const outcome = failureOutcome(work.error, lease.stage());
  if (outcome.error.code === 'INTERNAL_ERROR') ports.onUnexpected(job, work.error);
  const { written } = await terminateJob(ports, job, (ending) => failOrReject(job, outcome, ending), {
    until,
  });
  return written ? outcome.state : 'lost';
}

/** Removes what this attempt wrote, and what was there for parts. Where that fails the sweep does it later. */
async function discard(ports: TranscodeDeps, job: JobIn<'processing'>): Promise<void> {
  await ports.files
    .removeAll(attemptPrefix(job.jobId, job.attempt))
    .catch((cause) => ports.onUnexpected(job, cause));
  await removeWorkFiles(ports, job);
}

/** Aborts the work as `TIMEOUT` at the deadline, so that the record says why before the platform ends the function. */
function timeOut({ clock }: TranscodeDeps, deadline: Date, done: AbortSignal): AbortSignal {
  const expired = new AbortController();
  void clock.sleep(deadline.getTime() - clock.now().getTime(), done).then(() => {
    if (done.aborted) return;
    const message =
      'The job needs more time than one run of the worker has; use a faster preset or a shorter input.';
    expired.abort(new JobError('TIMEOUT', message));
  });
  return expired.signal;
}
