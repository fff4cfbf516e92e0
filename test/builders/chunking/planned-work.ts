import type { FrameIndex } from '@media-jobs/video/chunking';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import type { Processors } from '@media-jobs/video/cost-model';
import { costTable } from '@media-jobs/video/cost-model';
import type { MediaFile, WorkerMemory } from '@media-jobs/video/encoding';
import type { Encoder } from '@media-jobs/video/ffmpeg';
import type { Probe } from '@media-jobs/video/probe';
import { totalCost, validatePipeline } from '@media-jobs/video/recipes';
import { aFrameIndex, anAudioStream, anImageProbe, aProbe, aVideoStream } from '@media-jobs/video/testing';
import { vi } from 'vitest';
import type { Clock } from '../../../core/jobs/ports.ts';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import type { Chunking } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { beginSteps } from '../../../functions/transcode/encode-job.ts';
import { chooseStepsInChunks, planNext } from '../../../functions/transcode/process-steps.ts';
import { aProcessingJob, aRequest, later } from '../jobs/jobs.ts';
import { workerContext, workerDeps } from '../jobs/worker-deps.ts';

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
  const { encoder, packetReader } = workerDeps();
  const deps = workerDeps({
    packetReader: { ...packetReader, readFrameIndex, readAudioTiming: async () => undefined },
    chunking: chunkSettingsSchema.parse({ maxSinglePassSeconds }),
    processors,
    ...(clock && { clock }),
    memory,
    encoder: {
      ...encoder,
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
  const forecasts = validatePipeline(steps, fetched);
  const workspace = { makeDirectory: async (name: string) => `${disk}/${name}` } as never;
  const next = await planNext(deps, context, {
    state: beginSteps({ steps, fetched, workspace }),
    choice: chooseStepsInChunks(deps, context, forecasts),
    forecasts,
    table: costTable,
  });
  const result = 'work' in next ? next : undefined;
  return { result, chunking, cost: totalCost(forecasts), readings: readFrameIndex.mock.calls.length };
}
