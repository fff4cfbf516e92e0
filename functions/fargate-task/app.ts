import { JobError } from '../../core/errors.ts';
import { requeueFromExecution } from '../../core/jobs/execution-transitions.ts';
import { takeOverAsFargateTask } from '../../core/jobs/fargate-transitions.ts';
import type { FargateTaskInput } from '../../core/jobs/ports.ts';
import { holdsLease, type JobIn, type TerminalJob } from '../../core/jobs/record.ts';
import { mayRequeue } from '../../core/jobs/transitions.ts';
import { readSteps } from '../../core/recipes/pipeline/steps.ts';
import { validatePipeline } from '../../core/recipes/pipeline/validate-pipeline.ts';
import { removeWorkFiles } from '../chunked/cleanup.ts';
import {
  beginAttempt,
  endAttempt,
  keepsFiles,
  type Processed,
  removeAttemptFiles,
} from '../transcode/attempt.ts';
import { encodeJob } from '../transcode/encode-job.ts';
import { fetchInputs } from '../transcode/fetch-inputs.ts';
import { requireFittingTask } from '../transcode/function-limits.ts';
import { requireFittingCost } from '../transcode/require-fitting-cost.ts';
import { measuredCosts } from '../worker/measured-slowness.ts';
import { storeRunLog } from '../worker/run-log.ts';
import { type EncodeJobDeps, remainingSeconds, type WorkerContext } from '../worker/worker-deps.ts';

/** `ignored`: another task has the job, or it has ended. `requeued`: the task was stopped, and another attempt follows. */
export type FargateTaskResult = TerminalJob['state'] | 'ignored' | 'lost' | 'requeued';

export type FargateTaskLimits = {
  deadline: Date;
  /** Aborts when the platform stops the task: in Spot capacity, for maintenance, or with its execution. */
  stopped: AbortSignal;
};

/** Processes a delegated job in this process, from its download to its end. The task holds the lease as transcode does. */
export function runFargateTask(
  deps: EncodeJobDeps,
): (input: FargateTaskInput, limits: FargateTaskLimits) => Promise<FargateTaskResult> {
  return async (input, { deadline, stopped }) => {
    const taken = await takeOver(deps, input);
    if (taken === undefined) return 'ignored';
    await using attempt = beginAttempt(deps, taken, deadline);
    const { lease } = attempt;
    const signal = AbortSignal.any([...attempt.signals, stopped]);
    const context = { job: taken, report: lease.report, signal, deadline };
    const processed = await encode(attempt.deps, context).catch((error: unknown): Processed => ({ error }));
    const job = await attempt.stop();
    await storeRunLog(deps, job, attempt.record);
    const isStopped = stopped.aborted && 'error' in processed;
    const result = lease.signal.aborted
      ? 'lost'
      : await (isStopped ? requeueOrFail(deps, job) : endAttempt(deps, { job, processed, lease }));
    if (!keepsFiles(processed, result) && ['lost', 'failed', 'requeued'].includes(result))
      await removeAttemptFiles(deps, job);
    // An earlier attempt may have left chunks.
    else if (job.attempt > 1) await removeWorkFiles(deps, job);
    return result;
  };
}

/** Takes the job over under a lease of this task; undefined if it has ended, or if another task was first. */
async function takeOver(
  { jobs, clock, newId }: EncodeJobDeps,
  { ownerId, jobId, leaseId }: FargateTaskInput,
): Promise<JobIn<'processing'> | undefined> {
  let stored = await jobs.get({ ownerId, jobId });
  const own = newId();
  // Reconcile may move the time of its next check between read and write.
  while (holdsLease(leaseId, stored)) {
    const change = takeOverAsFargateTask(stored, { leaseId: own, now: clock.now() });
    const result = await jobs.write(change);
    if (result.written) return change.job;
    stored = result.current;
  }
  // The response to an earlier try was lost.
  return holdsLease(own, stored) ? stored : undefined;
}

/** Does the work of transcode in one process: transcode has already decided against chunks. */
async function encode(deps: EncodeJobDeps, context: WorkerContext): Promise<Processed> {
  const steps = readSteps(context.job.request);
  const workspace = await deps.openWorkspace();
  const fetched = await fetchInputs(deps, context, { steps, workspace });
  const table = await measuredCosts(deps, context.job);
  const cost = validatePipeline(steps, { ...fetched, memory: deps.memory, table });
  await requireFittingCost(deps, context, { steps, fetched, table });
  const maxSeconds = remainingSeconds(deps.clock, context.deadline);
  requireFittingTask({ processors: deps.processors, maxSeconds }, cost);
  return encodeJob(deps, context, { steps, fetched, workspace });
}

/** A task that is stopped requeues its job at once. One that is killed leaves that to reconcile. */
async function requeueOrFail(deps: EncodeJobDeps, job: JobIn<'processing'>): Promise<FargateTaskResult> {
  if (!mayRequeue(job)) {
    const message = `The Fargate task was stopped in the last of ${job.attempt} attempts, while ${job.stage}.`;
    const error = new JobError('WORKER_LOST', message);
    return endAttempt(deps, { job, processed: { error }, lease: { stage: () => job.stage } });
  }
  const { written } = await deps.jobs.write(requeueFromExecution(job, deps.clock.now()));
  if (!written) return 'lost';
  await deps.queue.send(job);
  return 'requeued';
}
