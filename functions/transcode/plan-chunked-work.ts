import { encodeFrameTimes, type FrameIndex } from '../../core/chunking/frame-index/frame-index.ts';
import { outputFrameIndex } from '../../core/chunking/frame-index/output-frame-index.ts';
import { timelineOriginSeconds } from '../../core/chunking/frame-index/timeline.ts';
import { type ChunkedWork, chunkFormat } from '../../core/chunking/plan/chunk-plan.ts';
import {
  type ChunkingDecision,
  planChunks,
  singlePassBecause,
  singlePassReason,
} from '../../core/chunking/plan/plan-chunks.ts';
import { encodingSinglePassReason } from '../../core/chunking/plan/single-pass-rules.ts';
import { selectAudio } from '../../core/encoding/audio/encode-audio.ts';
import { type Encoding, overlayOf, rateChangeOf, withOverlayPath } from '../../core/encoding/encoding.ts';
import { resolvePlan } from '../../core/encoding/execute-plan.ts';
import type { MediaFile } from '../../core/encoding/plan.ts';
import type { RunRecord, Workspace } from '../../core/media/ffmpeg/ports.ts';
import { atOutputRate } from '../../core/media/filters/deinterlace.ts';
import { endSecondsOf, requireVideo } from '../../core/media/probe/streams.ts';
import { planStep, type Step } from '../../core/recipes/pipeline/steps.ts';
import { recordRuns } from '../worker/run-log.ts';
import type { TranscodeDeps } from '../worker/worker-deps.ts';
import { remainingSeconds, type WorkerContext } from '../worker/worker-deps.ts';
import { type FetchedInputs, totalMediaSeconds } from './fetch-inputs.ts';
import { taskRunner } from './run-steps.ts';

type StepInputs = { steps: readonly Step[]; fetched: FetchedInputs; workspace: Workspace };

/** An encoding in chunks, and the files on this disk that its tasks need in the bucket. */
export type PlannedChunkedWork = {
  work: ChunkedWork;
  sourcePath: string;
  overlayPath?: string | undefined;
  /** ffmpeg runs of the measurements that resolved the plan. */
  runs: readonly RunRecord[];
};

/**
 * Decides whether a job is encoded in chunks; undefined if this worker encodes it in a single pass. Reports the reason
 * for every video encoding, and for any other job that asks for speed.
 */
export async function planChunkedWork(
  deps: TranscodeDeps,
  context: WorkerContext,
  { steps, fetched, workspace }: StepInputs,
): Promise<PlannedChunkedWork | undefined> {
  const { report, job } = context;
  const reportDecision = (chunks: number, reason: string) =>
    report({ stage: 'probing', fraction: 1, chunking: { chunks, reason } });
  const takeSinglePass = (reason: string) => {
    reportDecision(1, reason);
    return undefined;
  };
  const [step, ...laterSteps] = steps;
  const [source] = fetched.inputs;
  if (step === undefined || source === undefined)
    throw new TypeError('A job has at least one step and one input');
  const [assets = {}] = fetched.assets;
  const { inputs, canCompare } = fetched;
  const { fontsDirectory, memory } = deps;
  const outputDirectory = await workspace.makeDirectory('chunk-plan');
  const plan =
    laterSteps.length === 0
      ? planStep(step, { inputs, assets, canCompare, fontsDirectory, memory, outputDirectory })
      : undefined;
  if (plan?.encoding === undefined) {
    return job.request.speed === 'fast' ? takeSinglePass(neverChunkedReason(steps)) : undefined;
  }
  if (job.singlePassReason !== undefined) return takeSinglePass(singlePassBecause(job.singlePassReason));
  const cut = await cutSource(deps, context, { ...source, encoding: plan.encoding });
  if (cut.chunks === undefined) return takeSinglePass(cut.reason);
  reportDecision(cut.chunks.length, cut.reason);
  const { encoder, runs } = recordRuns(deps.encoder);
  const run = taskRunner({ ...deps, encoder }, context, {
    index: 0,
    count: 1,
    directory: outputDirectory,
  });
  const { encoding, outputs, measurements, outputMeasurement } = (await resolvePlan(plan, run)).plan;
  if (encoding === undefined) throw new TypeError('A plan with an encoding resolved to one without');
  const encodingReason = encodingSinglePassReason(encoding);
  if (encodingReason !== undefined) return takeSinglePass(singlePassBecause(encodingReason));
  const overlayPath = overlayOf(encoding)?.path;
  return {
    sourcePath: source.path,
    overlayPath,
    runs,
    work: {
      encodedBy: { service: deps.serviceVersion, ffmpeg: await deps.encoder.version() },
      source: source.probe,
      format: chunkFormat(step.format),
      encoding: withOverlayPath('', encoding),
      overlay: Object.values(assets).find(({ path }) => path === overlayPath)?.probe,
      outputs,
      chunks: [...cut.chunks],
      timelineOrigin: cut.index.timelineOrigin,
      frameTimes: encodeFrameTimes(cut.index),
      comparesWithSource: outputMeasurement?.comparesWithSource,
      result: {
        inputSizeBytes: fetched.inputSizeBytes,
        mediaSeconds: totalMediaSeconds(inputs),
        measurements,
      },
    },
  };
}

type Cut =
  | { reason: string; chunks?: never }
  | (Extract<ChunkingDecision, { chunks: object }> & { index: FrameIndex });

/** Cuts the source into chunks, or returns the reason against it. Reads packets only if the probe does not decide it. */
async function cutSource(
  { packetReader, chunking, clock }: TranscodeDeps,
  { job, signal, deadline }: WorkerContext,
  { path, probe, encoding }: MediaFile & { encoding: Encoding },
): Promise<Cut> {
  const video = requireVideo(probe);
  const audio = selectAudio(probe, encoding);
  const policy = { ...chunking, speed: job.request.speed ?? 'standard' };
  const rateChange = rateChangeOf(encoding);
  const durationSeconds = endSecondsOf(probe, [video]);
  if (durationSeconds !== undefined) {
    // Unknown frame rate: assume a slow encode.
    const { framesPerSecond } = atOutputRate(video, rateChange);
    const frames = durationSeconds * (framesPerSecond ?? Number.POSITIVE_INFINITY);
    const reason = singlePassReason(encoding, { durationSeconds, frames }, policy);
    if (reason !== undefined) return { reason };
  }
  const fileSeconds = timelineOriginSeconds(probe.container, [video, ...audio]);
  const timeLimitSeconds = remainingSeconds(clock, deadline);
  const stream = { stream: video.index, fileSeconds };
  const packets = await packetReader.readFrameIndex(path, stream, { signal, timeLimitSeconds });
  const index = outputFrameIndex(packets, video, rateChange);
  const decision = planChunks({ probe, video, index }, encoding, policy);
  return decision.chunks === undefined ? { reason: decision.reason } : { ...decision, index };
}

function neverChunkedReason([step, ...laterSteps]: readonly Step[]): string {
  return singlePassBecause(
    laterSteps.length === 0
      ? `the recipe ${step?.recipe.name} does not encode one video input`
      : 'each step reads the output of the step before it',
  );
}
