import { singlePassBecause } from '@media-jobs/video/chunking';
import { decideOnOutputs, type WorkForecast, type WorkPass } from '@media-jobs/video/decide';
import { JobError } from '@media-jobs/video/errors';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import { functionDiskBytes } from '@media-jobs/video/probe';
import type { StepEnds } from '@media-jobs/video/recipes';
import { workersOf } from '../../core/jobs/job-result.ts';
import { readSteps } from '../../core/jobs/read-steps.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { outputBytesOf } from '../../core/jobs/usage.ts';
import { fetchUnpublished } from '../../core/publish/publish-result.ts';
import { type FinishedResult, storeResult } from '../../core/publish/store-result.ts';
import type { UploadLimit } from '../../core/publish/upload-limit.ts';
import { uploadMsOfRetry } from '../../core/storage/upload-time.ts';
import { adoptSteps } from '../../core/worker/outputs.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { hasTasks } from '../../core/worker/worker-context.ts';
import { type Attempt, type AttemptResult, type EncodeChunks, type Outcome, openAttempt } from './attempt.ts';
import { endAttempt } from './end-attempt.ts';
import { fetchInputs } from './fetch-inputs.ts';
import { addFact, decide, forecastJob, isDecidedByFrames } from './forecast.ts';
import {
  beginSteps,
  finishedFiles,
  type GraphState,
  type JobForecast,
  type PlannedChunkedWork,
  type RemainingSteps,
  recorded,
  stepsLeft,
} from './graph-state.ts';
import { admit, settle } from './money.ts';
import { planChunks } from './plan-chunks.ts';
import { removeCopies } from './remote-source.ts';
import { runPass } from './run-pass.ts';
import { storeStepInChunks } from './store-chunk-plan.ts';

export type Claim = {
  /** Takes a job under a lease of this worker; undefined if there is none. */
  take: () => Promise<JobIn<'processing'> | undefined>;
  deadline: Date;
  /** Aborts when the platform stops the worker. */
  stopped?: AbortSignal;
  /** Of a task of the pool, which encodes chunks itself. Not imported here: a function has no use for it. */
  encodeChunks?: EncodeChunks;
};

/** `ignored`: there was no job to take. */
export type TranscodeResult = AttemptResult | 'ignored';

/**
 * Processes a job from its claim to its end, in a function or in a Fargate task: claim, open, fetch, forecast, decide, admit,
 * run or delegate, publish, end. A job that is left to chunks ends in join-chunks, which publishes it or requeues it for its next
 * step; one that is left to a task comes to this page again, by the claim of the task. Work stops as soon as the signal of the
 * attempt aborts: the lease is lost (a cancel takes it), the time or the money is used up, or the platform stops the worker.
 * Without the lease the result is discarded, and the files of the attempt are removed.
 */
export async function transcode(deps: JobPorts, { take, ...claim }: Claim): Promise<TranscodeResult> {
  const job = await take();
  if (job === undefined) return 'ignored';
  await using attempt = openAttempt(deps, job, claim);
  const outcome = await outcomeOf(attempt).catch((error: unknown): Outcome => ({ kind: 'error', error }));
  const { copies } = attempt.record;
  // Only chunk tasks still read the copy of a source.
  if (outcome.kind !== 'chunks' && copies.length > 0) await removeCopies(attempt.deps, job, copies);
  return await endAttempt(attempt, outcome);
}

/**
 * Does the work of a claimed job, from its inputs to its stored files, or leaves it to other workers.
 * @throws JobError an error that the job's owner reads; any other error is internal
 */
async function outcomeOf(attempt: Attempt): Promise<Outcome> {
  const { deps } = attempt;
  const { job } = attempt.context;
  // An earlier attempt has uploaded all files: they only have to become visible.
  if (job.publishing !== undefined) return { kind: 'uploaded', publicationKey: job.publishing };
  const steps = readSteps(job.request);
  const completed = await adoptSteps(deps, attempt.context);
  const workspace = await deps.openWorkspace();
  // A delegated job was admitted by the function that delegated it.
  if (deps.kind === 'function' || deps.isPool) await admit(deps, job, 'claimed');
  const uploaded = await uploadUnpublished(attempt, workspace);
  if (uploaded !== undefined) return uploaded;
  // An earlier attempt found that only a task can do the work.
  if (hasTasks(deps) && job.otherWorker) return { kind: 'task', reason: job.otherWorker.reason };

  await using proxies = new AsyncDisposableStack();
  const fetched = await fetchInputs(deps, attempt.context, { steps, completed, workspace, proxies });
  // The inputs do not fit on the disk of this function.
  if ('kind' in fetched) return fetched;
  const remaining = { steps, completed, fetched, workspace };
  const expected = await forecastJob(deps, attempt.nameSource(fetched.statedName), remaining);
  const { forecast, state, decision: passes } = decideFirst(attempt, expected, remaining);
  if (state.ended.size > 0) attempt.context.report({ stage: 'probing', fraction: 1, completedSteps: recorded(state) });
  const end = endWithoutOutputs(state, forecast);
  if (end !== undefined) return end;
  if ('reject' in passes) return rejectedBy(deps, passes);
  reportWorkers(attempt, passes, state);
  attempt.limitCost(await admit(deps, attempt.context.job, { forecast, passes, completed }));
  return await execute(attempt, { forecast, state, passes });
}

/** Decides on all steps that are left. Optional outputs that no worker can make end here: they have failed in the state. */
function decideFirst({ deps, context }: Attempt, expected: JobForecast, remaining: RemainingSteps) {
  const begun = { ...beginSteps(remaining), shares: sharesOf(expected, remaining) };
  const stateOf = ({ ended }: WorkForecast): GraphState => ({ ...begun, ended });
  const { forecast: work, decision } = decideOnOutputs(remaining.steps, expected.work, (tried) =>
    decide(deps, context, { forecast: { ...expected, work: tried }, state: stateOf(tried) }),
  );
  return { forecast: { ...expected, work }, state: stateOf(work), decision };
}

/** The decision on the steps that are left, and how far the worker has come. */
type Progress = { forecast: JobForecast; state: GraphState; passes: readonly WorkPass[] };

/** Runs the first of the decided passes, or leaves it to other workers. Then decides again, by the time that is left. */
async function execute(attempt: Attempt, { forecast, state, passes: [pass] }: Progress): Promise<Outcome> {
  const { deps, context } = attempt;
  if (pass === undefined) return finish(attempt, state);
  if (deps.kind === 'function' && pass.kind === 'task') return { kind: 'task', reason: pass.reason };
  if (pass.kind === 'chunks' || (deps.kind === 'function' && isDecidedByFrames(forecast, pass))) {
    const planned = await planChunks(deps, context, { forecast, state, index: pass.from });
    const outcome = 'work' in planned ? await delegateOrEncodeChunks(attempt, { planned, state }) : undefined;
    if (outcome !== undefined) return outcome;
    const reason = 'work' in planned ? singlePassBecause('its chunks could not be joined') : planned.reason;
    return decideAgain(attempt, { forecast: addFact(forecast, pass.from, reason), state });
  }
  const ran = await runPass(attempt, { forecast, state, pass });
  return ran === 'waits-for-limit' ? { kind: ran } : decideAgain(attempt, { forecast, state: ran });
}

/**
 * A function leaves the chunks of a step to other functions; a task of the pool encodes them itself. Undefined if the task could
 * not, and a single pass may help.
 */
async function delegateOrEncodeChunks(
  attempt: Attempt,
  chunks: { planned: PlannedChunkedWork; state: GraphState },
): Promise<Outcome | undefined> {
  const { deps, context, encodeChunks } = attempt;
  if (encodeChunks !== undefined) return encodeChunks(attempt, chunks);
  return { kind: 'chunks', plan: await storeStepInChunks(deps, context, chunks) };
}

async function decideAgain(attempt: Attempt, progress: Omit<Progress, 'passes'>): Promise<Outcome> {
  const passes = decide(attempt.deps, attempt.context, progress);
  if ('reject' in passes) return rejectedBy(attempt.deps, passes);
  reportWorkers(attempt, passes, progress.state);
  return execute(attempt, { ...progress, passes });
}

/** The outcome if no worker can do the work. What no task of the pool can end, other workers may. */
function rejectedBy(deps: JobPorts, { reject }: { reject: JobError }): Outcome {
  return deps.kind === 'task' && deps.isPool ? { kind: 'leave-pool' } : { kind: 'error', error: reject };
}

/** Writes into the record of the job who does each step. */
function reportWorkers(
  { deps, context: { job, report } }: Attempt,
  passes: readonly WorkPass[],
  { ended, shares }: GraphState,
): void {
  if (passes.length === 0) return;
  const isTask = deps.kind === 'task';
  const decided = workersOf(isTask ? passes.map((pass) => ({ ...pass, kind: 'task' as const })) : passes, job.workers);
  const workers = decided.map((worker, index) => (ended.get(index)?.is === 'skipped' ? null : worker));
  report({ stage: 'probing', fraction: 1, workers, ...(shares && { shares }) });
}

/** The shares of the outputs in the work, by their estimates. The steps of a pipeline have equal ones. */
function sharesOf({ work }: JobForecast, { steps }: RemainingSteps): number[] | undefined {
  if (steps[0]?.output === undefined) return undefined;
  const costs = new Map(work.steps.map(({ index, cost }) => [index, Math.max(1, Math.round(10 * cost.cpuSeconds))]));
  return steps.map((_, index) => costs.get(index) ?? 0);
}

/** The end of a job none of whose outputs is made; undefined if one is. */
function endWithoutOutputs({ completed, ended, ...state }: GraphState, { work }: JobForecast): Outcome | undefined {
  const isMade = stepsLeft(work.steps, { ...state, completed, ended }).some(({ isIntermediate }) => !isIntermediate);
  if (isMade || Object.keys(completed.result.files).length > 0) return undefined;
  const failure = failureOf(ended);
  if (failure !== undefined) return failure;
  const message = 'No output of this job is wanted: the condition of none of them holds for what it reads';
  return { kind: 'error', error: new JobError('INPUT_UNSUPPORTED', message) };
}

/** Ends the work on a job whose steps are all completed, or have failed. */
async function finish(attempt: Attempt, state: GraphState): Promise<Outcome> {
  const files = await finishedFiles(attempt.deps, attempt.context, state);
  const failure = files.outputs.length === 0 ? failureOf(state.ended) : undefined;
  return failure ?? publish(attempt, files);
}

/** The failure of a job whose optional outputs have all ended, by the first that failed. */
function failureOf(ended: StepEnds): Outcome | undefined {
  const failure = [...ended.values()].find((end) => end.is === 'failed');
  return failure && { kind: 'error', error: failure.error, isFailure: true };
}

/** Uploads the finished files of a job. From now on the job is limited by their actual size. */
async function publish(attempt: Attempt, files: FinishedResult): Promise<Outcome> {
  const { job } = attempt.context;
  attempt.limitCost(settle(attempt.deps, job, files.outputs));
  return upload(attempt, files);
}

async function upload({ deps, context }: Attempt, files: FinishedResult, limit?: UploadLimit): Promise<Outcome> {
  const stored = await storeResult(deps, context, files, limit);
  return 'publicationKey' in stored ? { kind: 'uploaded', ...stored } : { kind: 'finished', result: stored };
}

const tooLargeToUpload = "A Fargate task uploads the encoded files of the job: they do not fit on a function's disk";

/**
 * Uploads the encoded files of a retried job, which wait in the media bucket, to its storage provider. Undefined if the job
 * has none, or if one of them is gone.
 */
async function uploadUnpublished(attempt: Attempt, workspace: Workspace): Promise<Outcome | undefined> {
  const { deps } = attempt;
  const { job } = attempt.context;
  const { unpublished } = job;
  if (unpublished === undefined) return undefined;
  if (hasTasks(deps) && outputBytesOf(unpublished.result) > functionDiskBytes)
    return { kind: 'task', reason: tooLargeToUpload };
  const context = attempt.limitCost(await admit(deps, job, { unpublished }));
  const waiting = await fetchUnpublished(deps, context, { unpublished, workspace });
  return waiting && upload(attempt, waiting, uploadMsOfRetry);
}
