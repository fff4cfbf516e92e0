import {
  type ChunkedWork,
  type ChunkingDecision,
  chunkedClips,
  chunkFormat,
  encodeFrameTimes,
  joinDiskReason,
  longAudioReason,
  mayAssemble,
  mayAssembleStream,
  outputTracks,
  singlePassBecause,
} from '@media-jobs/video/chunking';
import type { PlanCost } from '@media-jobs/video/cost-model';
import { chunkPolicy } from '@media-jobs/video/decide';
import {
  type Encoding,
  type MediaFile,
  type PendingPlan,
  type Plan,
  resolvePlan,
  withFiles,
  withInputOptions,
} from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import { type RunRecord, recordRuns } from '@media-jobs/video/ffmpeg';
import { joinWarnings } from '@media-jobs/video/media';
import {
  addStepToError,
  nameMeasurements,
  nameOutput,
  nameWarnings,
  planStep,
  readBy,
  type Step,
  stepWarnings,
} from '@media-jobs/video/recipes';
import { placeOf } from '../../core/jobs/stored-file.ts';
import { version } from '../../core/version.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { remainingSeconds, taskRunner, type WorkerContext } from '../../core/worker/worker-context.ts';
import { cutSources } from './cut-sources.ts';
import { reportChunking } from './forecast.ts';
import {
  type FetchedInputs,
  type GraphState,
  isLast,
  type JobForecast,
  type PlannedChunkedWork,
} from './graph-state.ts';
import { planAudio } from './plan-audio.ts';
import { readingRemotely } from './remote-source.ts';

type StepToPlan = { forecast: JobForecast; state: GraphState; index: number };

/** What frames and packets tell against chunks, as a sentence for the job's owner. */
type SinglePass = { reason: string };

/** Plans a step in chunks by its frames and packets, and reports the decision. A source in place is read through its proxy. */
export async function planChunks(
  deps: JobPorts,
  context: WorkerContext,
  toPlan: StepToPlan,
): Promise<PlannedChunkedWork | SinglePass> {
  const { steps, fetched } = toPlan.state;
  const { remoteSource } = fetched;
  const plan = remoteSource
    ? planStepInChunks(
        { ...deps, media: readingRemotely(deps.media, remoteSource) },
        { ...context, signal: remoteSource.proxy.signal },
        toPlan,
      )
    : planStepInChunks(deps, context, toPlan);
  const planned = await plan.catch((cause: unknown) => {
    throw addStepToError(cause, steps, toPlan.index);
  });
  const failure = remoteSource?.proxy.failure();
  if (failure !== undefined) throw addStepToError(failure, steps, toPlan.index);
  return planned;
}

async function planStepInChunks(
  deps: JobPorts,
  context: WorkerContext,
  { forecast, state, index }: StepToPlan,
): Promise<PlannedChunkedWork | SinglePass> {
  const { steps } = state;
  const reportDecision = (chunks: number, reason: string) =>
    reportChunking(context, { steps, index }, { chunks, reason });
  const step = forecast.work.steps.find((each) => each.index === index);
  const planned = await planStepOf(deps, state, index);
  const { source, plan } = planned;
  const { encoding } = plan;
  if (step === undefined || encoding === undefined) throw new TypeError(`Step ${index + 1} has no video`);
  const policy = {
    ...chunkPolicy(forecast.work.steps, step, { ...forecast.limits, ...deps }),
    remainingSeconds: remainingSeconds(deps.clock, context.deadline),
  };
  const remote = planned.remoteSource?.remote;
  const cut = await cutSources(deps, context, { source, remote, forecast, step, policy, plan, encoding });
  if (cut.chunks === undefined) return { reason: cut.reason };
  reportDecision(cut.chunks.length, cut.reason);
  const { runs, ...resolved } = await resolveStep(deps, context, planned, steps.length);
  const decision = cut.decide(resolved.encoding);
  if (decision.chunks === undefined) return { reason: decision.reason };
  const { cost } = step;
  const work = await chunkedWorkOf(deps, context, { planned, state, resolved, decision, cost });
  const limit = longAudioReason(work, deps.processors) ?? joinDiskReason(work, cost);
  if (limit !== undefined) return { reason: singlePassBecause(limit) };
  reportDecision(decision.chunks.length, decision.reason);
  const { inputs, remoteSource } = planned;
  const sources = (work.clips ? inputs : [source]).map(({ path, probe: { sizeBytes } }) => ({
    ...(remoteSource === undefined ? { path } : { location: remoteSource.location }),
    sizeBytes,
  }));
  return { sources, overlayPath: resolved.encoding.overlay?.path, runs, work };
}

type PlannedStep = {
  step: Step;
  /** The number of the step, from 0. */
  index: number;
  inputs: readonly MediaFile[];
  /** Set if the step reads a file in place. */
  remoteSource: FetchedInputs['remoteSource'];
  source: MediaFile;
  plan: Plan | PendingPlan;
  outputDirectory: string;
};

async function planStepOf(
  { fontsDirectory, memory }: JobPorts,
  { steps, fetched, made, workspace }: GraphState,
  index: number,
): Promise<PlannedStep> {
  const { canCompare } = fetched;
  const step = steps[index];
  const inputs = step === undefined ? [] : readBy(step, { inputs: fetched.inputs, made });
  const [source] = inputs;
  if (step === undefined || source === undefined) throw new TypeError('A job has at least one step and one input');
  const assets = fetched.assets[index] ?? {};
  if (assets instanceof JobError) throw assets;
  const remoteSource = fetched.remoteSource?.path === source.path ? fetched.remoteSource : undefined;
  const outputDirectory = await workspace.makeDirectory(`chunk-plan-${index + 1}`);
  const plan = planStep(step, { inputs, assets, canCompare, fontsDirectory, memory, outputDirectory });
  return { step, index, inputs, remoteSource, source, plan, outputDirectory };
}

/** Runs the measurements on which the plan of a step depends. */
async function resolveStep(
  deps: JobPorts,
  context: WorkerContext,
  { plan, index, inputs, outputDirectory }: PlannedStep,
  count: number,
): Promise<ResolvedStep & { runs: readonly RunRecord[] }> {
  const { encoder, runs } = recordRuns(deps.media);
  const run = taskRunner({ ...deps, media: encoder }, context, { index, count, directory: outputDirectory });
  const inChunks = 'measure' in plan ? plan.inChunks : undefined;
  const { plan: resolved } = await resolvePlan(inChunks ?? plan, withInputOptions(run, inputs));
  const { encoding } = resolved;
  if (encoding === undefined) throw new TypeError('A plan with an encoding resolved to one without');
  return { ...resolved, encoding, runs };
}

type ResolvedStep = Pick<Plan, 'outputs' | 'measurements' | 'warnings' | 'outputMeasurement'> & { encoding: Encoding };

type StepInChunks = {
  planned: PlannedStep;
  state: GraphState;
  resolved: ResolvedStep;
  decision: Extract<ChunkingDecision, { chunks: object }>;
  /** Of the step. */
  cost: PlanCost;
};

/** The work of chunk tasks and their join, after the decision for chunks. Reads the packets of audio that is cut. */
async function chunkedWorkOf(
  deps: JobPorts,
  context: WorkerContext,
  { planned, state, resolved, decision, cost }: StepInChunks,
): Promise<ChunkedWork> {
  const { step, index, inputs, remoteSource, source, plan } = planned;
  const { encoding, outputs, measurements, outputMeasurement } = resolved;
  const { steps, fetched, result } = state;
  const dropped = inputs.flatMap(({ probe }) => stepWarnings(step, probe));
  const ofStep = [...(resolved.warnings ?? []), ...dropped];
  const warnings = joinWarnings(result.warnings, fetched.warnings, nameWarnings(steps, index, ofStep));
  const overlayPath = encoding.overlay?.path;
  const assets = fetched.assets[index] ?? {};
  const ofStepAssets = assets instanceof JobError ? [] : Object.values(assets);
  const overlay = ofStepAssets.find(({ path }) => path === overlayPath)?.probe;
  const format = chunkFormat(step.format);
  const comparesWithSource = outputMeasurement?.comparesWithSource;
  const clips = chunkedClips(plan.clips, decision);
  const hasAudio = outputTracks({ source: source.probe, encoding, clips }).length > 0;
  // Only what completes the job goes to a storage provider at once.
  const destination = isLast(state) ? placeOf(context.job.destination, step.name ?? '') : undefined;
  const hasFinalFragments = mayAssembleStream({ encoding, outputs, isForProvider: destination !== undefined });
  const audio = await planAudio(deps, context, {
    sources: clips ? inputs : [source],
    remote: remoteSource?.remote,
    encoding,
    format,
    clips,
    mayAssemble: mayAssemble({
      isForProvider: destination !== undefined,
      format,
      encoding,
      comparesWithSource,
      hasAudio,
    }),
    chunks: decision.chunks,
    cpuSeconds: cost.codecCpuSeconds,
  });
  const allMeasurements = { ...result.measurements, ...nameMeasurements(steps, index, measurements) };
  return {
    encodedBy: { service: version, ffmpeg: await deps.media.version() },
    step: index,
    source: source.probe,
    format,
    encoding: withFiles(encoding, {}),
    overlay,
    outputs: outputs.map((output) => nameOutput(step, output)),
    chunks: [...decision.chunks],
    ...audio,
    ...(hasFinalFragments && { hasFinalFragments }),
    timelineOrigin: decision.timelineOrigin,
    ...(clips && { clips }),
    frameTimes: encodeFrameTimes(decision.frameTimes),
    ...(decision.sourceFrames && { sourceFrames: decision.sourceFrames }),
    comparesWithSource,
    result: {
      ...result,
      ...(Object.keys(allMeasurements).length > 0 && { measurements: allMeasurements }),
      ...(warnings.length > 0 && { warnings }),
    },
  };
}
