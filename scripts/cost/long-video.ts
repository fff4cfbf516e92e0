import { audioChunkCount } from '../../core/chunking/plan/cut-audio.ts';
import { chunkSettingsSchema, maxChunks } from '../../core/chunking/settings.ts';
import { costTable, lineOf } from '../../core/cost-model/cost-table.ts';
import { overheadSeconds } from '../../core/pricing/per-job.ts';
import { measured, measuredChunks, measuredPlan } from './measured.ts';
import { usedCpus } from './workload.ts';

/** The example of docs/cost.md: an uploaded MP4 of two hours with its index at the front. */
export const longVideo = {
  seconds: 2 * 3600,
  resolution: '1080p',
  framesPerSecond: 30,
  sourceMbps: 5,
  audioKbps: 128,
} as const;

export const sourceGb = gbOf(longVideo.sourceMbps * 1000);

export const audioGb = gbOf(longVideo.audioKbps);
export const resultGb = gbOf(measured[longVideo.resolution].bitrateKbps);

export const frameCount = longVideo.seconds * longVideo.framesPerSecond;

function gbOf(kbps: number): number {
  return (kbps * longVideo.seconds) / 8 / 1e6;
}

/** GB per second between a function and S3. Assumed. */
export const networkGbPerSecond = 0.075;

/** One function's share of the work. */
export type Step = {
  seconds: number;
  /** Requests to S3: reads, and writes or lists. */
  gets: number;
  puts: number;
};

/** `audio` is one of `audioChunks`. */
export type LongVideoSteps = {
  prepare: Step;
  chunk: Step;
  audio: Step;
  join: Step;
  chunks: number;
  audioChunks: number;
};

/** The cost model's processor seconds of the audio, which has one processor in each function. */
const audioCpuSeconds =
  longVideo.seconds *
  (lineOf(costTable.audioPerSecond, 'decode') + lineOf(costTable.audioPerSecond, 'encode aac'));

const partGb = (16 * 1024 * 1024) / 1e9;

/** The work of each function for the long video, with default settings and functions of `memoryMb`. */
export function longVideoSteps(memoryMb: number): LongVideoSteps {
  const { targetChunkSeconds } = chunkSettingsSchema.parse({});
  const chunks = Math.min(maxChunks, Math.floor(longVideo.seconds / targetChunkSeconds));
  const chunkSeconds = longVideo.seconds / chunks;
  const cpu = measured[longVideo.resolution].cpu * measuredChunks.cpuFactor;
  const indexing = frameCount * measuredChunks.cpuSecondsPerIndexedFrame;
  const encodingSeconds = (cpu * chunkSeconds) / usedCpus(memoryMb);
  const audioChunks = audioChunkCount(audioCpuSeconds, encodingSeconds);
  const tasks = chunks + audioChunks;
  return {
    ...{ chunks, audioChunks },
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
      seconds: overheadSeconds + encodingSeconds,
      // Checks for a result, reads the plan, checks the source, reads its start and the chunk.
      gets: 5,
      puts: uploads((resultGb - audioGb) / chunks) + 1,
    },
    audio: {
      seconds: overheadSeconds + Math.max(audioCpuSeconds, sourceGb / networkGbPerSecond) / audioChunks,
      // As a chunk, whose stretch of the source it reads with the video.
      gets: 5,
      puts: uploads(audioGb / audioChunks) + 1,
    },
    join: {
      seconds:
        overheadSeconds +
        Math.max(resultGb * measuredChunks.cpuSecondsPerJoinedGb, resultGb / networkGbPerSecond) +
        indexing +
        resultGb / networkGbPerSecond,
      // The plan; per chunk task its result, its file twice and three range reads; a list for the cleanup.
      gets: 1 + tasks * 6,
      puts: uploads(resultGb) + 1,
    },
  };
}

/** The sum over all functions that work on the long video. */
export function sumOfSteps(
  { prepare, chunk, audio, join, chunks, audioChunks }: LongVideoSteps,
  key: keyof Step,
): number {
  return prepare[key] + chunks * chunk[key] + audioChunks * audio[key] + join[key];
}

/** Requests that upload a file: one, or one per part plus create and complete of a multipart upload. */
function uploads(gb: number): number {
  return gb <= partGb ? 1 : Math.ceil(gb / partGb) + 2;
}
