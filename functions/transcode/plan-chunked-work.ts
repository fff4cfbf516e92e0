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
import type { RunRecord, Workspace } from '../../core/media/ffmpeg/ports.ts';
import { planStep, type Step } from '../../core/recipes/pipeline/steps.ts';
import { recordRuns } from '../worker/run-log.ts';
import type { TranscodeDeps, WorkerContext } from '../worker/worker-deps.ts';
import { cutSources } from './cut-sources.ts';
import { taskRunner } from './encode-job.ts';
import { type FetchedInputs, totalMediaSeconds } from './fetch-inputs.ts';
import { requireThisWorker } from './function-limits.ts';
import { planAudio } from './plan-audio.ts';
import { readingRemotely } from './remote-source.ts';

type StepInputs = {
  steps: readonly Step[];
  fetched: FetchedInputs;
  workspace: Workspace;
  /** Of all steps, by `table`. */
  cost: PlanCost;
  table: CostTable;
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
 * Decides whether a job is encoded in chunks; undefined if this worker encodes it in a single pass. Reports the reason
 * for every video encoding, and for any other job that requests speed.
 * @throws JobError `INPUT_TOO_LONG` if a single pass cannot end before the deadline, `INPUT_TOO_LARGE` if its source does
 * not fit on the disk
 */
export async function planChunkedWork(
  deps: TranscodeDeps,
  context: WorkerContext,
  inputs: StepInputs,
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
  { steps, fetched, workspace, cost, table }: StepInputs,
): Promise<PlannedChunkedWork | undefined> {
  const { report, job } = context;
  const reportDecision = (chunks: number, reason: string) =>
    report({ stage: 'probing', fraction: 1, chunking: { chunks, reason } });
  const requireFit = (reason: string) => requireThisWorker(deps, context, { steps, fetched, cost, reason });
  const takeSinglePass = (reason: string) => {
    requireFit(reason);
    reportDecision(1, reason);
    return undefined;
  };
  const [step, ...laterSteps] = steps;
  const [source] = fetched.inputs;
  if (step === undefined || source === undefined)
    throw new TypeError('A job has at least one step and one input');
  const [assets = {}] = fetched.assets;
  const { inputs, remoteSource, canCompare } = fetched;
  const { fontsDirectory, memory } = deps;
  const outputDirectory = await workspace.makeDirectory('chunk-plan');
  const plan =
    laterSteps.length === 0
      ? planStep(step, { inputs, assets, canCompare, fontsDirectory, memory, outputDirectory })
      : undefined;
  if (plan?.encoding === undefined) {
    const reason = neverChunkedReason(steps);
    if (job.request.speed === 'fast') return takeSinglePass(reason);
    requireFit(reason);
    return undefined;
  }
  if (job.singlePassReason !== undefined) return takeSinglePass(singlePassBecause(job.singlePassReason));
  const { encoding: planned } = plan;
  const remote = remoteSource?.remote;
  const cut = await cutSources(deps, context, { source, remote, cost, table, plan, encoding: planned });
  if (cut.chunks === undefined) return takeSinglePass(cut.reason);
  reportDecision(cut.chunks.length, cut.reason);
  const { encoder, runs } = recordRuns(deps.encoder);
  const run = taskRunner({ ...deps, encoder }, context, {
    index: 0,
    count: 1,
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
  const audio = await planAudio(deps, context, {
    ...{ sources: clips ? inputs : [source], remote, encoding, format, clips },
    mayAssemble: mayAssemble({ ...job, format, encoding, comparesWithSource, hasAudio }),
    ...{ chunks: decision.chunks, cpuSeconds: cost.codecCpuSeconds },
  });
  const work: ChunkedWork = {
    encodedBy: { service: deps.serviceVersion, ffmpeg: await deps.encoder.version() },
    source: source.probe,
    format,
    encoding: withFiles(encoding, {}),
    overlay: Object.values(assets).find(({ path }) => path === overlayPath)?.probe,
    outputs,
    chunks: [...decision.chunks],
    ...audio,
    ...(mayAssembleStream({ encoding, outputs, isForProvider: job.destination !== undefined }) && {
      hasFinalFragments: true as const,
    }),
    timelineOrigin,
    ...(clips && { clips }),
    frameTimes: encodeFrameTimes(decision.frameTimes),
    comparesWithSource,
    result: {
      inputSizeBytes: fetched.inputSizeBytes,
      mediaSeconds: totalMediaSeconds(inputs),
      measurements,
    },
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

function neverChunkedReason([step, ...laterSteps]: readonly Step[]): string {
  return singlePassBecause(
    laterSteps.length === 0
      ? `the recipe ${step?.recipe.name} does not encode one video input`
      : 'each step reads the output of the step before it',
  );
}
