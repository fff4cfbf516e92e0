import type { ChunkedWork, MediaLocation } from '@media-jobs/video/chunking';
import { joinDiskReason, longAudioReason, singlePassBecause } from '@media-jobs/video/chunking';
import type { CostTable, PlanCost } from '@media-jobs/video/cost-model';
import {
  type Encoding,
  type MediaFile,
  overlayOf,
  type PendingPlan,
  type Plan,
  resolvePlan,
  withInputOptions,
} from '@media-jobs/video/encoding';
import type { RunRecord, Workspace } from '@media-jobs/video/ffmpeg';
import { recordRuns } from '@media-jobs/video/ffmpeg';
import { planStep, type Step } from '@media-jobs/video/recipes';
import type { JobResult } from '../../core/jobs/job-result.ts';
import type { TranscodeDeps, WorkerContext } from '../../core/worker/worker-deps.ts';
import { requireThisWorker } from './choose-single-pass-worker.ts';
import { chunkedWorkOf, type ResolvedStep } from './chunked-work.ts';
import { cutSources } from './cut-sources.ts';
import type { FetchedInputs } from './fetch-inputs.ts';
import { readingRemotely } from './remote-source.ts';
import { reportChunking } from './report-chunking.ts';
import { taskRunner } from './run-steps.ts';

type StepToPlan = {
  steps: readonly Step[];
  /** The number of the step, from 0. It reads the inputs in `fetched`. */
  index: number;
  fetched: FetchedInputs;
  workspace: Workspace;
  /** Of the job, by the steps before this one. */
  result: Omit<JobResult, 'files'>;
  /** Of the step, by `table`. */
  cost: PlanCost;
  /** Of all steps that this worker takes in a single pass if this one is not encoded in chunks. */
  singlePass: PlanCost;
  table: CostTable;
  /** What a single pass of the step may take at standard speed. */
  maxSinglePassSeconds: number;
};

/** A file on this disk, or one that is read in place. */
export type ChunkSource = ({ path: string; location?: undefined } | { location: MediaLocation }) & {
  sizeBytes: number;
};

/** An encoding in chunks, and the files on this disk that its tasks need in the bucket. */
export type PlannedChunkedWork = {
  work: ChunkedWork;
  /** In the order of the clips. */
  sources: readonly ChunkSource[];
  overlayPath?: string | undefined;
  /** ffmpeg runs of the measurements that resolved the plan. */
  runs: readonly RunRecord[];
};

/**
 * Decides whether a step is encoded in chunks; undefined if this worker encodes it in a single pass. Reports the reason
 * for every video encoding, and for any other job that requests speed.
 * @throws JobError `INPUT_TOO_LONG` if a single pass cannot end before the deadline, `INPUT_TOO_LARGE` if its source does
 * not fit on the disk
 */
export async function planChunkedWork(
  deps: TranscodeDeps,
  context: WorkerContext,
  inputs: StepToPlan,
): Promise<PlannedChunkedWork | undefined> {
  const { remoteSource } = inputs.fetched;
  if (remoteSource === undefined) return planStepInChunks(deps, context, inputs);
  const { signal } = remoteSource.proxy;
  const encoder = readingRemotely(deps.encoder, remoteSource);
  const planned = await planStepInChunks({ ...deps, encoder }, { ...context, signal }, inputs);
  if (remoteSource.proxy.failure() !== undefined) throw remoteSource.proxy.failure();
  return planned;
}

async function planStepInChunks(
  deps: TranscodeDeps,
  context: WorkerContext,
  toPlan: StepToPlan,
): Promise<PlannedChunkedWork | undefined> {
  const { job } = context;
  const { steps, index, fetched, cost, singlePass } = toPlan;
  const reportDecision = (chunks: number, reason: string) =>
    reportChunking(context, { steps, index }, { chunks, reason });
  const requireFit = (reason: string) =>
    requireThisWorker(deps, context, { steps, from: index, fetched, cost: singlePass, reason });
  const takeSinglePass = (reason: string) => {
    requireFit(reason);
    reportDecision(1, reason);
    return undefined;
  };
  const planned = await planNextStep(deps, toPlan);
  const { step, source } = planned;
  const { encoding } = planned.plan;
  if (encoding === undefined) {
    const reason = singlePassBecause(`the recipe ${step.recipe.name} does not encode one video input`);
    if (job.request.speed === 'fast') return takeSinglePass(reason);
    requireFit(reason);
    return undefined;
  }
  const isNext = index === (job.completedSteps?.count ?? 0);
  if (isNext && job.singlePassReason !== undefined)
    return takeSinglePass(singlePassBecause(job.singlePassReason));
  const cut = await cutStep(deps, context, { ...planned, encoding });
  if (cut.chunks === undefined) return takeSinglePass(cut.reason);
  reportDecision(cut.chunks.length, cut.reason);
  const { runs, ...resolved } = await resolveStep(deps, context, planned);
  const decision = cut.decide(resolved.encoding);
  if (decision.chunks === undefined) return takeSinglePass(decision.reason);
  const work = await chunkedWorkOf(deps, context, { ...planned, resolved, decision });
  const limit = longAudioReason(work, deps.processors) ?? joinDiskReason(work, cost);
  if (limit !== undefined) return takeSinglePass(singlePassBecause(limit));
  reportDecision(decision.chunks.length, decision.reason);
  const { inputs, remoteSource } = fetched;
  const sources = (work.clips ? inputs : [source]).map(({ path, probe: { sizeBytes } }) => ({
    ...(remoteSource === undefined ? { path } : { location: remoteSource.location }),
    sizeBytes,
  }));
  return { sources, overlayPath: overlayOf(resolved.encoding)?.path, runs, work };
}

type PlannedStep = StepToPlan & {
  step: Step;
  /** The first input. */
  source: MediaFile;
  plan: Plan | PendingPlan;
  outputDirectory: string;
};

async function planNextStep(
  { fontsDirectory, memory }: TranscodeDeps,
  toPlan: StepToPlan,
): Promise<PlannedStep> {
  const { steps, index, fetched, workspace } = toPlan;
  const { inputs, canCompare } = fetched;
  const step = steps[index];
  const [source] = inputs;
  if (step === undefined || source === undefined)
    throw new TypeError('A job has at least one step and one input');
  const assets = fetched.assets[index] ?? {};
  const outputDirectory = await workspace.makeDirectory(`chunk-plan-${index + 1}`);
  const plan = planStep(step, { inputs, assets, canCompare, fontsDirectory, memory, outputDirectory });
  return { ...toPlan, step, source, plan, outputDirectory };
}

function cutStep(
  deps: TranscodeDeps,
  context: WorkerContext,
  { fetched, maxSinglePassSeconds, ...step }: PlannedStep & { encoding: Encoding },
): ReturnType<typeof cutSources> {
  const chunking = { ...deps.chunking, maxSinglePassSeconds };
  return cutSources({ ...deps, chunking }, context, { ...step, remote: fetched.remoteSource?.remote });
}

/** Runs the measurements on which the plan of a step depends. */
async function resolveStep(
  deps: TranscodeDeps,
  context: WorkerContext,
  { plan, steps, index, fetched, outputDirectory }: PlannedStep,
): Promise<ResolvedStep & { runs: readonly RunRecord[] }> {
  const { encoder, runs } = recordRuns(deps.encoder);
  const run = taskRunner({ ...deps, encoder }, context, {
    index,
    count: steps.length,
    directory: outputDirectory,
  });
  const inChunks = 'measure' in plan ? plan.inChunks : undefined;
  const { plan: resolved } = await resolvePlan(inChunks ?? plan, withInputOptions(run, fetched.inputs));
  const { encoding } = resolved;
  if (encoding === undefined) throw new TypeError('A plan with an encoding resolved to one without');
  return { ...resolved, encoding, runs };
}
