import { JobError } from '@media-jobs/video/errors';
import { totalCost, validatePipeline } from '@media-jobs/video/recipes';
import { takeOverJob } from '../../core/jobs/delegation-transitions.ts';
import { requeueFromExecution } from '../../core/jobs/execution-transitions.ts';
import { isOutage } from '../../core/jobs/outcome.ts';
import type { DelegatedJobInput } from '../../core/jobs/ports.ts';
import { readSteps } from '../../core/jobs/read-steps.ts';
import { holdsLease, type JobIn, type TerminalJob } from '../../core/jobs/record.ts';
import { retryConflicts } from '../../core/jobs/retry-conflicts.ts';
import { countedAttempts, mayRequeue } from '../../core/jobs/transitions.ts';
import { measuredCosts } from '../../core/worker/measured-slowness.ts';
import { storeRunLog } from '../../core/worker/run-log.ts';
import { readStepOutputs } from '../../core/worker/step-outputs.ts';
import { type EncodeJobDeps, remainingSeconds, type WorkerContext } from '../../core/worker/worker-deps.ts';
import {
  type Attempt,
  beginAttempt,
  cleanUpAttempt,
  endAttempt,
  type Processed,
  requeueAfterOutage,
} from './attempt.ts';
import { requireFittingTask } from './choose-single-pass-worker.ts';
import { encodeJob } from './encode-job.ts';
import { fetchInputs } from './fetch-inputs.ts';
import { admit } from './money.ts';
import { requeueJob } from './requeue-job.ts';
import { storeUnpublished } from './store-unpublished.ts';

/**
 * `ignored`: another worker has the job, or it has ended. `requeued`: this one was stopped, and another attempt follows.
 */
export type DelegatedJobResult = TerminalJob['state'] | 'ignored' | 'lost' | 'requeued';

type DelegatedJobLimits = {
  deadline: Date;
  /** Aborts when the platform stops a Fargate task: in Spot capacity, for maintenance, or with its execution. */
  stopped: AbortSignal;
};

/**
 * Processes a delegated job in this process, a Fargate task, from its download to its end. It holds the lease as transcode
 * does.
 */
export function processDelegatedJob(
  deps: EncodeJobDeps,
): (input: DelegatedJobInput, limits: DelegatedJobLimits) => Promise<DelegatedJobResult> {
  return async (input, { deadline, stopped }) => {
    const taken = await takeOver(deps, input);
    if (taken === undefined) return 'ignored';
    await using attempt = beginAttempt(deps, taken, deadline);
    const { lease } = attempt;
    const signal = AbortSignal.any([...attempt.signals, stopped]);
    const { limitCost, nameSource } = attempt;
    const context = { job: taken, report: lease.report, signal, deadline, limitCost, nameSource };
    const processed = await encode(attempt.deps, context).catch((error: unknown): Processed => ({ error }));
    const job = await attempt.stop();
    await storeRunLog(deps, job, attempt.record);
    const end = () => {
      if (!('error' in processed)) return endAttempt(deps, { job, processed, lease });
      if (stopped.aborted) return requeueOrFail(deps, job);
      return isOutage(processed.error) && mayRequeue(job)
        ? requeueAfterOutage(deps, job, processed.error)
        : endAttempt(deps, { job, processed, lease });
    };
    const result = lease.signal.aborted ? 'lost' : await end();
    await cleanUpAttempt(deps, job, { processed, result });
    return result;
  };
}

/** Takes the job over under a lease of this worker; undefined if it has ended, or if another one was first. */
async function takeOver(
  { jobs, clock, newId }: EncodeJobDeps,
  { ownerId, jobId, leaseId }: DelegatedJobInput,
): Promise<JobIn<'processing'> | undefined> {
  let stored = await jobs.get({ ownerId, jobId });
  const own = newId();
  // Reconcile may move the time of its next check between read and write.
  return retryConflicts(async () => {
    // The response to an earlier try was lost.
    if (holdsLease(own, stored)) return stored;
    if (!holdsLease(leaseId, stored)) return undefined;
    const change = takeOverJob(stored, { leaseId: own, now: clock.now() });
    const result = await jobs.write(change);
    if (result.written) return change.job;
    stored = result.current;
    return false;
  });
}

/** Does all that is left of the work of transcode in one process: transcode has already decided against chunks. */
async function encode(
  deps: EncodeJobDeps,
  context: WorkerContext & Pick<Attempt<EncodeJobDeps>, 'nameSource' | 'limitCost'>,
): Promise<Processed> {
  const steps = readSteps(context.job.request);
  const completed = await readStepOutputs(deps, context.job);
  const from = completed?.count;
  const workspace = await deps.openWorkspace();
  const stored = await storeUnpublished(deps, context, workspace);
  if (stored !== undefined) return stored;
  const fetched = await fetchInputs(deps, context, { steps, completed, workspace });
  const table = await measuredCosts(deps, context.job);
  const forecasts = validatePipeline(steps, { ...fetched, from, memory: deps.memory, table });
  const named = context.nameSource(fetched.statedName);
  const job = context.limitCost(named, await admit(deps, named, { steps, completed, fetched, table }));
  const maxSeconds = remainingSeconds(deps.clock, context.deadline);
  requireFittingTask({ processors: deps.processors, maxSeconds }, totalCost(forecasts));
  return encodeJob(deps, { ...context, job }, { steps, completed, fetched, workspace });
}

/** A task that is stopped requeues its job at once. One that is killed leaves that to reconcile. */
async function requeueOrFail(
  deps: EncodeJobDeps,
  job: JobIn<'processing'>,
): Promise<TerminalJob['state'] | 'requeued' | 'lost'> {
  if (!mayRequeue(job)) {
    const message = `The Fargate task was stopped in the last of ${countedAttempts(job)} attempts, while ${job.stage}.`;
    const error = new JobError('WORKER_LOST', message);
    return endAttempt(deps, { job, processed: { error }, lease: { stage: () => job.stage } });
  }
  const change = requeueFromExecution(job, deps.clock.now());
  return requeueJob(deps, job, { change, delaySeconds: 0 });
}
