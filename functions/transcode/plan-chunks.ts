import { joinDiskReason, longAudioReason, singlePassBecause } from '@media-jobs/video/chunking';
import { chunkPolicy } from '@media-jobs/video/decide';
import {
  type MediaFile,
  overlayOf,
  type PendingPlan,
  type Plan,
  resolvePlan,
  withInputOptions,
} from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import { type RunRecord, recordRuns } from '@media-jobs/video/ffmpeg';
import { addStepToError, planStep, readBy, type Step } from '@media-jobs/video/recipes';
import type { JobPorts } from '../../core/worker/ports.ts';
import { remainingSeconds, taskRunner, type WorkerContext } from '../../core/worker/worker-context.ts';
import { chunkedWorkOf, type ResolvedStep } from './chunked-work.ts';
import { cutSources } from './cut-sources.ts';
import { reportChunking } from './forecast.ts';
import {
  type FetchedInputs,
  type GraphState,
  isLast,
  type JobForecast,
  type PlannedChunkedWork,
} from './graph-state.ts';
import { readingRemotely } from './remote-source.ts';

type StepToPlan = {
  forecast: JobForecast;
  state: GraphState;
  /** The number of the step, from 0. It reads the inputs of the state. */
  index: number;
};

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
  const { steps, result } = state;
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
  const { runs, ...resolved } = await resolveStep(deps, context, planned);
  const decision = cut.decide(resolved.encoding);
  if (decision.chunks === undefined) return { reason: decision.reason };
  const { cost } = step;
  const work = await chunkedWorkOf(deps, context, {
    ...planned,
    isLast: isLast(state),
    result,
    cost,
    resolved,
    decision,
  });
  const limit = longAudioReason(work, deps.processors) ?? joinDiskReason(work, cost);
  if (limit !== undefined) return { reason: singlePassBecause(limit) };
  reportDecision(decision.chunks.length, decision.reason);
  const { inputs, remoteSource } = planned;
  const sources = (work.clips ? inputs : [source]).map(({ path, probe: { sizeBytes } }) => ({
    ...(remoteSource === undefined ? { path } : { location: remoteSource.location }),
    sizeBytes,
  }));
  return { sources, overlayPath: overlayOf(resolved.encoding)?.path, runs, work };
}

type PlannedStep = {
  steps: readonly Step[];
  index: number;
  fetched: FetchedInputs;
  inputs: readonly MediaFile[];
  /** Set if the step reads a file in place. */
  remoteSource: FetchedInputs['remoteSource'];
  step: Step;
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
  return { steps, index, fetched, inputs, remoteSource, step, source, plan, outputDirectory };
}

/** Runs the measurements on which the plan of a step depends. */
async function resolveStep(
  deps: JobPorts,
  context: WorkerContext,
  { plan, steps, index, inputs, outputDirectory }: PlannedStep,
): Promise<ResolvedStep & { runs: readonly RunRecord[] }> {
  const { encoder, runs } = recordRuns(deps.media);
  const run = taskRunner({ ...deps, media: encoder }, context, {
    index,
    count: steps.length,
    directory: outputDirectory,
  });
  const inChunks = 'measure' in plan ? plan.inChunks : undefined;
  const { plan: resolved } = await resolvePlan(inChunks ?? plan, withInputOptions(run, inputs));
  const { encoding } = resolved;
  if (encoding === undefined) throw new TypeError('A plan with an encoding resolved to one without');
  return { ...resolved, encoding, runs };
}
