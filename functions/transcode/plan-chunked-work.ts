import { joinDiskReason } from '../../core/chunking/assembly/join-disk.ts';
import { mayAssemble, mayAssembleStream } from '../../core/chunking/assembly/may-assemble.ts';
import { longAudioReason } from '../../core/chunking/commands/audio-task.ts';
import { encodeFrameTimes } from '../../core/chunking/frame-index/frame-index.ts';
import { type ChunkedWork, chunkFormat, type MediaLocation } from '../../core/chunking/plan/chunk-plan.ts';
import { chunkedClips, outputTracks } from '../../core/chunking/plan/chunked-clips.ts';
import { singlePassBecause } from '../../core/chunking/plan/plan-chunks.ts';
import type { CostTable } from '../../core/cost-model/cost-table.ts';
import type { PlanCost } from '../../core/cost-model/plan-cost.ts';
import { overlayOf, withFiles } from '../../core/encoding/encoding.ts';
import { resolvePlan } from '../../core/encoding/plan.ts';
import type { JobResult } from '../../core/jobs/job-result.ts';
import type { RunRecord, Workspace } from '../../core/media/ffmpeg/ports.ts';
import { nameMeasurements, nameOutput, planStep, type Step } from '../../core/recipes/pipeline/steps.ts';
import { recordRuns } from '../worker/run-log.ts';
import type { TranscodeDeps, WorkerContext } from '../worker/worker-deps.ts';
import { cutSources } from './cut-sources.ts';
import type { FetchedInputs } from './fetch-inputs.ts';
import { planAudio } from './plan-audio.ts';
import { readingRemotely } from './remote-source.ts';
import { reportChunking } from './report-chunking.ts';
import { taskRunner } from './run-steps.ts';
import { requireFittingPass } from './single-pass.ts';

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
  /** The number behind the last of those. */
  to: number;
  table: CostTable;
  /** What a single pass of the step may take at standard speed. */
  maxSinglePassSeconds: number;
};

/** An encoding in chunks, and the files on this disk that its tasks need in the bucket. */
export type PlannedChunkedWork = {
  work: ChunkedWork;
  /** In the order of the clips, each a file on this disk or one that is read in place. */
  sources: readonly (({ path: string } | { location: MediaLocation }) & { sizeBytes: number })[];
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
  if (remoteSource === undefined) return plan(deps, context, inputs);
  const { signal } = remoteSource.proxy;
  const encoder = readingRemotely(deps.encoder, remoteSource);
  const planned = await plan({ ...deps, encoder }, { ...context, signal }, inputs);
  if (remoteSource.proxy.failure() !== undefined) throw remoteSource.proxy.failure();
  return planned;
}

async function plan(
  deps: TranscodeDeps,
  context: WorkerContext,
  { steps, index, fetched, workspace, cost, table, ...rest }: StepToPlan,
): Promise<PlannedChunkedWork | undefined> {
  const { job } = context;
  const reportDecision = (chunks: number, reason: string) =>
    reportChunking(context, { steps, index }, { chunks, reason });
  const requireFit = (reason: string) =>
    requireFittingPass(deps, context, { steps, index, to: rest.to, fetched, cost: rest.singlePass, reason });
  const takeSinglePass = (reason: string) => {
    requireFit(reason);
    reportDecision(1, reason);
    return undefined;
  };
  const step = steps[index];
  const [source] = fetched.inputs;
  if (step === undefined || source === undefined)
    throw new TypeError('A job has at least one step and one input');
  const assets = fetched.assets[index] ?? {};
  const { inputs, remoteSource, canCompare } = fetched;
  const { fontsDirectory, memory } = deps;
  const outputDirectory = await workspace.makeDirectory(`chunk-plan-${index + 1}`);
  const plan = planStep(step, { inputs, assets, canCompare, fontsDirectory, memory, outputDirectory });
  if (plan.encoding === undefined) {
    const reason = singlePassBecause(`the recipe ${step.recipe.name} does not encode one video input`);
    if (job.request.speed === 'fast') return takeSinglePass(reason);
    requireFit(reason);
    return undefined;
  }
  const isNext = index === (job.completedSteps?.count ?? 0);
  if (isNext && job.singlePassReason !== undefined)
    return takeSinglePass(singlePassBecause(job.singlePassReason));
  const { encoding: planned } = plan;
  const remote = remoteSource?.remote;
  const chunking = { ...deps.chunking, maxSinglePassSeconds: rest.maxSinglePassSeconds };
  const cut = await cutSources({ ...deps, chunking }, context, {
    source,
    remote,
    cost,
    table,
    plan,
    encoding: planned,
  });
  if (cut.chunks === undefined) return takeSinglePass(cut.reason);
  reportDecision(cut.chunks.length, cut.reason);
  const { encoder, runs } = recordRuns(deps.encoder);
  const run = taskRunner({ ...deps, encoder }, context, {
    index,
    count: steps.length,
    directory: outputDirectory,
  });
  const inChunks = 'measure' in plan ? plan.inChunks : undefined;
  const { encoding, outputs, measurements, outputMeasurement } = (await resolvePlan(inChunks ?? plan, run))
    .plan;
  if (encoding === undefined) throw new TypeError('A plan with an encoding resolved to one without');
  const decision = cut.decide(encoding);
  if (decision.chunks === undefined) return takeSinglePass(decision.reason);
  const overlayPath = overlayOf(encoding)?.path;
  const format = chunkFormat(step.format);
  const comparesWithSource = outputMeasurement?.comparesWithSource;
  const { timelineOrigin } = decision;
  const clips = chunkedClips(plan.clips, decision);
  const hasAudio = outputTracks({ source: source.probe, encoding, clips }).length > 0;
  // Only the result of the job goes to a storage provider.
  const destination = index === steps.length - 1 ? job.destination : undefined;
  const audio = await planAudio(deps, context, {
    ...{ sources: clips ? inputs : [source], remote, encoding, format, clips },
    mayAssemble: mayAssemble({ destination, format, encoding, comparesWithSource, hasAudio }),
    ...{ chunks: decision.chunks, cpuSeconds: cost.codecCpuSeconds },
  });
  const named = { ...rest.result.measurements, ...nameMeasurements(steps, index, measurements) };
  const work: ChunkedWork = {
    encodedBy: { service: deps.serviceVersion, ffmpeg: await deps.encoder.version() },
    step: index,
    source: source.probe,
    format,
    encoding: withFiles(encoding, {}),
    overlay: Object.values(assets).find(({ path }) => path === overlayPath)?.probe,
    outputs: outputs.map((output) => nameOutput(step, output)),
    chunks: [...decision.chunks],
    ...audio,
    ...(mayAssembleStream({ encoding, outputs, isForProvider: destination !== undefined }) && {
      hasFinalFragments: true as const,
    }),
    timelineOrigin,
    ...(clips && { clips }),
    frameTimes: encodeFrameTimes(decision.frameTimes),
    comparesWithSource,
    result: { ...rest.result, ...(Object.keys(named).length > 0 && { measurements: named }) },
  };
  const limit = longAudioReason(work, deps.processors) ?? joinDiskReason(work, cost);
  if (limit !== undefined) return takeSinglePass(singlePassBecause(limit));
  reportDecision(decision.chunks.length, decision.reason);
  const sources = (clips ? inputs : [source]).map(({ path, probe: { sizeBytes } }) => ({
    ...(remoteSource === undefined ? { path } : { location: remoteSource.location }),
    sizeBytes,
  }));
  return { sources, overlayPath, runs, work };
}
