import { chunkSettingsSchema, type FrameIndex } from '@media-jobs/video/chunking';
import type { Processors } from '@media-jobs/video/cost-model';
import type { MediaFile, WorkerMemory } from '@media-jobs/video/encoding';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import type { Probe } from '@media-jobs/video/probe';
import { totalCost } from '@media-jobs/video/recipes';
import { aFrameIndex, anAudioStream, anImageProbe, aProbe, aVideoStream } from '@media-jobs/video/testing';
import { vi } from 'vitest';
import type { Chunking } from '../../../core/jobs/job-result.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { addFact, decide, forecastJob, isDecidedByFrames } from '../../../functions/transcode/forecast.ts';
import { beginSteps } from '../../../functions/transcode/graph-state.ts';
import { planChunks } from '../../../functions/transcode/plan-chunks.ts';
import { reportPass } from '../../../functions/transcode/run-pass.ts';
import { aProcessingJob, aRequest, later } from '../jobs/jobs.ts';
import { workerContext, workerPorts } from '../jobs/worker-ports.ts';

const seconds = 600;

/** The video stream of `longVideo`. */
export const longVideoStream = aVideoStream({ durationSeconds: seconds, width: 1280, height: 720 });

/** Ten minutes of 720p. */
export const longVideo = aProbe([longVideoStream, anAudioStream({ durationSeconds: seconds })], {
  durationSeconds: seconds,
});
/** The file of an image that a parameter names. */
export const still = { path: '/tmp/a/asset-1-image', probe: anImageProbe() };
export type PlannedChoice = Partial<JobRequestRecord> & {
  probe?: Probe;
  index?: FrameIndex;
  singlePassReason?: string;
  /** `maxSinglePassSeconds`. */
  maxSinglePassSeconds?: number;
  processors?: Processors;
  clock?: Clock;
  memory?: WorkerMemory;
  /** The files of the first step besides the image. */
  assets?: Record<string, MediaFile>;
  run?: Encoder['run'];
  compare?: Encoder['compare'];
  /** The text that a measurement reads. */
  text?: string;
  inputSizeBytes?: number;
  /** Directory of the worker's files. */
  disk?: string;
};

/** Plans the first step of a job on a stage with two CPUs, with 800 s until the deadline. */
export async function planned(choice: PlannedChoice) {
  const {
    probe = longVideo,
    index = aFrameIndex(),
    singlePassReason,
    maxSinglePassSeconds = 300,
    processors = { count: 2, slowness: 1 },
    clock,
    memory,
    assets,
    run,
    compare,
    text,
    inputSizeBytes = 63_000_000,
    ...rest
  } = choice;
  const { disk = '/tmp/a', ...differences } = rest;
  const job = {
    ...aProcessingJob({ request: { ...aRequest, ...differences } }),
    ...(singlePassReason === undefined ? {} : { singlePassReason }),
  };
  const readFrameIndex = vi.fn(async () => index);
  let chunking: Chunking | undefined;
  const { media, packets } = workerPorts();
  const deps = workerPorts({
    packets: { ...packets, readFrameIndex, readAudioTiming: async () => undefined },
    chunking: chunkSettingsSchema.parse({ maxSinglePassSeconds }),
    processors,
    ...(clock && { clock }),
    memory,
    media: {
      ...media,
      version: async () => 'ffmpeg version 7.1',
      ...(run && { run }),
      ...(compare && { compare }),
      ...(text !== undefined && { readText: async () => text }),
    },
  });
  const context = workerContext({
    job,
    deadline: later(800_000),
    report: (progress) => {
      chunking = progress.chunking ?? chunking;
    },
  });
  const steps = readSteps(job.request);
  const fetched = {
    inputs: [{ path: `${disk}/input-1`, probe }],
    assets: steps.map(() => ({ ...assets, image: { ...still, path: `${disk}/asset-1-image` } })),
    downloaded: [],
    inputSizeBytes,
    canCompare: true,
  };
  const workspace = { makeDirectory: async (name: string) => `${disk}/${name}` } as never;
  const remaining = { steps, fetched, workspace };
  const state = beginSteps(remaining);
  let forecast = await forecastJob(deps, context, remaining);
  const decided = () => {
    const decision = decide(deps, context, { forecast, state });
    if ('reject' in decision) throw decision.reject;
    return decision[0];
  };
  const planFirst = async () => {
    const pass = decided();
    if (pass?.kind !== 'chunks' && !(pass && isDecidedByFrames(forecast, pass))) return undefined;
    const next = await planChunks(deps, context, { forecast, state, index: 0 });
    if ('work' in next) return next;
    forecast = addFact(forecast, 0, next.reason);
    return undefined;
  };
  const result = await planFirst();
  const pass = decided();
  if (result === undefined && pass !== undefined) reportPass(context, { forecast, state, pass });
  return { result, chunking, cost: totalCost(forecast.work.steps), readings: readFrameIndex.mock.calls.length };
}
