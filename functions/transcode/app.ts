import { singlePassBecause } from '@media-jobs/video/chunking';
import { functionDiskBytes } from '@media-jobs/video/probe';
import { totalCost, validatePipeline } from '@media-jobs/video/recipes';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { longLane, maxIndexLagSeconds } from '../../core/jobs/lanes.ts';
import { leaveLongLane } from '../../core/jobs/long-lane.ts';
import { isOutage } from '../../core/jobs/outcome.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { readSteps } from '../../core/jobs/read-steps.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { mayRequeue, requeueForLongLane } from '../../core/jobs/transitions.ts';
import { outputBytesOf } from '../../core/jobs/usage.ts';
import type { PendingPublication } from '../../core/publish/publish-result.ts';
import { measuredCosts } from '../../core/worker/measured-slowness.ts';
import { storeRunLog } from '../../core/worker/run-log.ts';
import { readStepOutputs } from '../../core/worker/step-outputs.ts';
import type { EncodeJobDeps, TranscodeDeps, WorkerContext } from '../../core/worker/worker-deps.ts';
import {
  type Attempt,
  beginAttempt,
  cleanUpAttempt,
  type EndingAttempt,
  endAttempt,
  type Processed,
  requeueAfterOutage,
} from './attempt.ts';
import { memoryOfPlan, requireThisWorker } from './choose-single-pass-worker.ts';
import { claimNextJob } from './claim-job.ts';
import { fetchInputs, type RemoteFetch } from './fetch-inputs.ts';
import { fittingDownloads } from './fitting-downloads.ts';
import { type LaneOfJob, laneOfJob } from './lane-of-job.ts';
import { admit } from './money.ts';
import { OtherWorkerError, otherWorkerAfter } from './other-worker.ts';
import { processSteps } from './process-steps.ts';
import { removeCopy } from './remote-source.ts';
import { requeueJob } from './requeue-job.ts';
import { type StoredChunkPlan, startExecution } from './start-execution.ts';
import { startFargateTask } from './start-fargate-task.ts';
import { storeUnpublished } from './store-unpublished.ts';

export type TranscodeResult =
  | TerminalJob['state']
  | 'ignored'
  | 'lost'
  | 'delegated'
  | 'requeued'
  | 'waits-for-permit';

type FinishedAttempt = Omit<EndingAttempt, 'processed'> & {
  processed: Processed | { chunkPlan: StoredChunkPlan };
  deadline: Date;
};

/**
 * Claims the next job, processes it before `deadline` and ends it, or delegates it to an execution, which encodes chunks or
 * runs it on another worker. A repeated message is ignored. If the lease is lost, the result is discarded and the attempt's
 * files are removed.
 */
export function transcode(
  deps: TranscodeDeps,
): (message: JobRef, deadline: Date) => Promise<TranscodeResult> {
  return async (message, deadline) => {
    const claimed = await claimNextJob(deps, message);
    if (claimed === undefined) return 'ignored';
    await using attempt = beginAttempt(deps, claimed, deadline);
    const { lease } = attempt;
    const lane = laneOfJob(deps, claimed, { lease, deadline });
    const signal = AbortSignal.any([...attempt.signals, lane.signal]);
    const { expectSeconds } = lane;
    let leavesCopy = false;
    const onCopy = () => {
      leavesCopy = true;
    };
    const { limitCost, nameSource } = attempt;
    const context = {
      job: claimed,
      report: lease.report,
      signal,
      deadline,
      expectSeconds,
      onCopy,
      limitCost,
      nameSource,
    };
    const processed = await processJob(attempt.deps, context).catch((error: unknown): { error: unknown } => ({
      error,
    }));
    await lane.stop();
    const job = await attempt.stop();
    const waits = lane.isFull() && 'error' in processed;
    if (!waits) await storeRunLog(deps, job, attempt.record);
    const result = lease.signal.aborted
      ? 'lost'
      : await (waits
          ? waitForPermit(deps, job)
          : finishAttempt(deps, { job, processed, lease, leavesCopy, deadline }));
    // The write that ended the job, a cancel for example, may have come before this worker took its permit or wrote its lane.
    if (result === 'lost' && job.lane === longLane)
      await leaveLongLane(deps, job).catch((cause: unknown) => deps.onUnexpected(job, cause));
    await cleanUpAttempt(deps, job, { processed, result });
    return result;
  };
}

async function finishAttempt(
  deps: TranscodeDeps,
  { job, processed, lease, leavesCopy, deadline }: FinishedAttempt,
): Promise<TerminalJob['state'] | 'delegated' | 'requeued' | 'lost'> {
  if ('chunkPlan' in processed) return startExecution(deps, job, processed.chunkPlan);
  if ('error' in processed && isOutage(processed.error) && mayRequeue(job))
    return requeueAfterOutage(deps, job, processed.error);
  const { fargate } = deps;
  const isDeadlineOver = deps.clock.now() >= deadline;
  const otherWorker =
    'error' in processed ? otherWorkerAfter(processed.error, { job, isDeadlineOver }) : undefined;
  if (otherWorker && fargate) return startFargateTask(deps, job, { ...fargate, otherWorker });
  return endAttempt(deps, { job, processed, lease, leavesCopy });
}

/** Requeues a long job. Its message is delayed until the index lists it: then a permit that is freed later finds the job. */
async function waitForPermit(
  deps: TranscodeDeps,
  job: JobIn<'processing'>,
): Promise<'waits-for-permit' | 'lost'> {
  const change = requeueForLongLane(job, deps.clock.now());
  const result = await requeueJob(deps, job, { change, delaySeconds: maxIndexLagSeconds });
  return result === 'lost' ? 'lost' : 'waits-for-permit';
}

const tooLargeToUpload =
  "A Fargate task uploads the encoded files of the job: they do not fit on a function's disk";

/** Chunk tasks have the memory of this worker. */
const needsMoreMemory = singlePassBecause('its encoder needs more memory than the functions of chunks have');

/**
 * Fetches, validates, encodes, measures and uploads, from the first step that is left. A step that is to be encoded in chunks
 * is not encoded here: only its chunk plan is stored. A large source is downloaded only for a single pass.
 * @throws OtherWorkerError if another worker is to process the job
 * @throws LongLaneFullError if it is long and no permit of long jobs is free
 * @throws JobError an error that the job's owner reads; any other error is internal
 */
async function processJob(
  deps: TranscodeDeps,
  context: WorkerContext &
    Pick<Attempt<EncodeJobDeps>, 'nameSource' | 'limitCost'> &
    Pick<LaneOfJob, 'expectSeconds'> &
    Pick<RemoteFetch, 'onCopy'>,
): Promise<JobResult | { chunkPlan: StoredChunkPlan } | PendingPublication> {
  const { publishing, unpublished, otherWorker } = context.job;
  if (publishing !== undefined) return { publicationKey: publishing };
  const steps = readSteps(context.job.request);
  const completed = await readStepOutputs(deps, context.job);
  const workspace = await deps.openWorkspace();
  await admit(deps, context.job, 'claimed');
  if (unpublished && deps.fargate && outputBytesOf(unpublished.result) > functionDiskBytes)
    throw new OtherWorkerError({ name: 'fargate', reason: tooLargeToUpload });
  const stored = await storeUnpublished(deps, context, workspace);
  if (stored !== undefined) return stored;
  if (otherWorker && deps.fargate) throw new OtherWorkerError(otherWorker);
  await using proxies = new AsyncDisposableStack();
  await using copies = new AsyncDisposableStack();
  const { openRangeProxy } = deps;
  const onCopy = () => {
    context.onCopy();
    copies.defer(() => removeCopy(deps, context));
  };
  const fetched = await fetchInputs(fittingDownloads(deps), context, {
    steps,
    completed,
    workspace,
    remote: { openRangeProxy, fromBytes: deps.chunking.rangesFromBytes, proxies, onCopy },
  });
  const table = await measuredCosts(deps, context.job);
  const from = completed?.count;
  const memory = memoryOfPlan(deps, steps, { ...fetched, from });
  const forecasts = validatePipeline(steps, { ...fetched, from, memory, table });
  const named = context.nameSource(fetched.statedName);
  const limited = {
    ...context,
    job: context.limitCost(named, await admit(deps, named, { steps, completed, fetched, table })),
  };
  if (memory !== deps.memory) {
    const cost = totalCost(forecasts);
    requireThisWorker(deps, limited, { steps, from, fetched, cost, reason: needsMoreMemory });
  }
  const processed = await processSteps(deps, limited, {
    steps,
    completed,
    fetched,
    workspace,
    forecasts,
    table,
  });
  // The chunk tasks read the copy.
  if ('chunkPlan' in processed) copies.move();
  return processed;
}
