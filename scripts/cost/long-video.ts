import { chunkLength } from '../../core/chunking/plan/chunk-length.ts';
import { chunkSettingsSchema, maxChunks, maxParallelTasks } from '../../core/chunking/settings.ts';
import { costTable, lineOf } from '../../core/cost-model/cost-table.ts';
import { cpusOf, lambdaSlowness, wallSeconds } from '../../core/cost-model/processors.ts';
import { overheadSeconds } from '../../core/pricing/per-job.ts';
import { minPartBytes } from '../../core/storage/assembly.ts';
import { compressCost } from './compress-forecast.ts';
import { measuredChunks, measuredPlan } from './measured.ts';

/** The example of docs/cost.md: an uploaded MP4 of two hours with its index at the front. */
export const longVideo = {
  durationSeconds: 2 * 3600,
  resolution: '1080p',
  framesPerSecond: 30,
} as const;

/** Of a single pass. */
export const longVideoCost = compressCost(longVideo);

export const resultGb = longVideoCost.outputBytes / 1e9;

export const frameCount = longVideo.durationSeconds * longVideo.framesPerSecond;

/** GB per second between a function and S3. Assumed. */
export const networkGbPerSecond = 0.075;

/** One function's share of the work. */
export type Step = {
  seconds: number;
  /** Requests to S3: reads, and writes or lists. */
  gets: number;
  puts: number;
};

/** Each of the chunks has its audio. */
export type LongVideoSteps = {
  prepare: Step;
  chunk: Step;
  join: Step;
  chunks: number;
};

/** Audio that a chunk decodes and encodes before and behind its own. */
const audioLeadSeconds = 2.5;

/** The cost model's processor seconds of the audio. */
const audioCpuSeconds =
  longVideo.durationSeconds *
  (lineOf(costTable.audioPerSecond, 'decode') + lineOf(costTable.audioPerSecond, 'encode aac'));

const videoCpuPerSecond = (longVideoCost.cpuSeconds - audioCpuSeconds) / longVideo.durationSeconds;

/** Requests of the join before it assembles, and how many of them run at once. */
export const requestsPerChunk = 5;
export const concurrentRequests = 16;

/** What the join itself moves of a result: chunks that are too small for S3 to copy. */
export function carriedGb(gb: number, chunks: number): number {
  return gb / chunks < minPartBytes / 1e9 ? gb : 0;
}

const partGb = (16 * 1024 * 1024) / 1e9;

/** Functions for chunk tasks. */
export type ChunkFunctions = {
  memoryMb: number;
  /** How many run at once. */
  executions: number;
};

/** Wall seconds of ffmpeg on such a function, on arm64, for processor seconds of the calibrated machine. */
export function encodeSeconds(cpuSeconds: number, { memoryMb }: Pick<ChunkFunctions, 'memoryMb'>): number {
  return wallSeconds(cpuSeconds, { count: cpusOf(memoryMb), slowness: lambdaSlowness.arm64 });
}

/** The number of chunks of the long video, with default settings but for the chunks at once. */
export function chunksOf({ executions }: Pick<ChunkFunctions, 'executions'>): number {
  const { durationSeconds } = longVideo;
  const maxParallelChunks = Math.min(executions, maxParallelTasks);
  const length = chunkLength(
    { durationSeconds, cpuSeconds: longVideoCost.cpuSeconds, codecs: 1, hasRate: false },
    { ...chunkSettingsSchema.parse({}), maxParallelChunks },
  );
  return Math.min(maxChunks, Math.floor(durationSeconds / length));
}

/** The work of each function for the long video. */
export function longVideoSteps({ memoryMb, executions }: ChunkFunctions): LongVideoSteps {
  const chunks = chunksOf({ executions });
  const chunkSeconds = longVideo.durationSeconds / chunks;
  const videoCpu = videoCpuPerSecond * (chunkSeconds + measuredChunks.prerollSeconds);
  const audioCpu = (audioCpuSeconds * (chunkSeconds + audioLeadSeconds)) / longVideo.durationSeconds;
  const carried = carriedGb(resultGb, chunks);
  return {
    chunks,
    prepare: {
      seconds:
        overheadSeconds +
        measuredPlan.requests * measuredPlan.secondsPerRequest +
        frameCount * measuredPlan.cpuSecondsPerFrame,
      // Reads the index of the upload, and its version; writes the plan.
      gets: measuredPlan.requests + 1,
      puts: 1,
    },
    chunk: {
      seconds: overheadSeconds + encodeSeconds(videoCpu + audioCpu, { memoryMb }),
      // Checks for a result, reads the plan, checks the source, reads its start and the chunk.
      gets: 5,
      puts: uploads(resultGb / chunks) + 1,
    },
    join: {
      // What is carried is read and uploaded at the same time.
      seconds:
        overheadSeconds +
        frameCount * measuredChunks.cpuSecondsPerAssembledFrame +
        Math.ceil((chunks * requestsPerChunk) / concurrentRequests) * measuredPlan.secondsPerRequest +
        carried / networkGbPerSecond,
      // The plan; per chunk its result, its file twice, its index by two ranges and its media; the finished file.
      gets: 1 + chunks * (requestsPerChunk + (carried > 0 ? 1 : 0)) + 5,
      // A part for two chunks where they are carried, create and complete; a list for the cleanup.
      puts: (carried > 0 ? Math.ceil(chunks / 2) : chunks + 1) + 2 + 1,
    },
  };
}

/** The sum over all functions that work on the long video. */
export function sumOfSteps({ prepare, chunk, join, chunks }: LongVideoSteps, key: keyof Step): number {
  return prepare[key] + chunks * chunk[key] + join[key];
}

/** Requests that upload a file: one, or one per part plus create and complete of a multipart upload. */
function uploads(gb: number): number {
  return gb <= partGb ? 1 : Math.ceil(gb / partGb) + 2;
}
