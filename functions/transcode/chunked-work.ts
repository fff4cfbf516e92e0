import {
  type ChunkedWork,
  type ChunkingDecision,
  chunkedClips,
  chunkFormat,
  encodeFrameTimes,
  mayAssemble,
  mayAssembleStream,
  outputTracks,
} from '@media-jobs/video/chunking';
import type { PlanCost } from '@media-jobs/video/cost-model';
import {
  type ClipEncoding,
  type Encoding,
  type MediaFile,
  overlayOf,
  type Plan,
  withFiles,
} from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import { joinWarnings } from '@media-jobs/video/media';
import { nameMeasurements, nameOutput, nameWarnings, type Step, stepWarnings } from '@media-jobs/video/recipes';
import type { JobResult } from '../../core/jobs/job-result.ts';
import { placeOf } from '../../core/jobs/stored-file.ts';
import { version } from '../../core/version.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import type { FetchedInputs } from './graph-state.ts';
import { planAudio } from './plan-audio.ts';

/** The plan of a step, once its measurements are known. */
export type ResolvedStep = Pick<Plan, 'outputs' | 'measurements' | 'warnings' | 'outputMeasurement'> & {
  encoding: Encoding;
};

type StepInChunks = {
  /** Whether it is the last step that is left. */
  isLast: boolean;
  inputs: readonly MediaFile[];
  remoteSource: FetchedInputs['remoteSource'];
  steps: readonly Step[];
  /** The number of the step, from 0. */
  index: number;
  step: Step;
  fetched: FetchedInputs;
  source: MediaFile;
  plan: { clips?: readonly ClipEncoding[] | undefined };
  resolved: ResolvedStep;
  decision: Extract<ChunkingDecision, { chunks: object }>;
  /** Of the step. */
  cost: PlanCost;
  /** Of the job, by the steps before this one. */
  result: Omit<JobResult, 'files'>;
};

/** The work of chunk tasks and their join, after the decision for chunks. Reads the packets of audio that is cut. */
export async function chunkedWorkOf(
  deps: JobPorts,
  context: WorkerContext,
  { steps, index, step, isLast, fetched, inputs, remoteSource, source, plan, ...decided }: StepInChunks,
): Promise<ChunkedWork> {
  const { resolved, decision, cost, result } = decided;
  const { encoding, outputs, measurements, outputMeasurement } = resolved;
  const dropped = inputs.flatMap(({ probe }) => stepWarnings(step, probe));
  const ofStep = [...(resolved.warnings ?? []), ...dropped];
  const warnings = joinWarnings(result.warnings, fetched.warnings, nameWarnings(steps, index, ofStep));
  const overlayPath = overlayOf(encoding)?.path;
  const assets = fetched.assets[index] ?? {};
  const ofStepAssets = assets instanceof JobError ? [] : Object.values(assets);
  const overlay = ofStepAssets.find(({ path }) => path === overlayPath)?.probe;
  const format = chunkFormat(step.format);
  const comparesWithSource = outputMeasurement?.comparesWithSource;
  const clips = chunkedClips(plan.clips, decision);
  const hasAudio = outputTracks({ source: source.probe, encoding, clips }).length > 0;
  // Only what completes the job goes to a storage provider at once.
  const destination = isLast ? placeOf(context.job.destination, step.name ?? '') : undefined;
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
