import { chunkSettingsSchema, maxChunks } from '../../core/chunking/settings.ts';
import { audioGb, frameCount, longVideo, resultGb, sourceGb } from './long-video.ts';
import { measured } from './measured.ts';
import { measuredChunks } from './measured-chunks.ts';
import { busyProcessors, overheadSeconds } from './workload.ts';

/** What a function gets from S3 or sends there in a second. Assumed. */
export const networkGbps = 0.075;

/** What one function does for the film. */
export type Step = {
  /** How long it takes, in seconds. */
  seconds: number;
  /** Requests to S3: those that read, and those that write or list. */
  gets: number;
  puts: number;
};

export type LongVideoSteps = { prepare: Step; chunk: Step; audio: Step; join: Step; chunks: number };

const partGb = (16 * 1024 * 1024) / 1e9;

/** What each function does for the film, with a stage's own settings and functions of so much memory. */
export function longVideoSteps(memoryMb: number): LongVideoSteps {
  const { targetChunkSeconds } = chunkSettingsSchema.parse({});
  const chunks = Math.min(maxChunks, Math.floor(longVideo.seconds / targetChunkSeconds));
  const chunkSeconds = longVideo.seconds / chunks;
  const cpu = measured[longVideo.resolution].cpu * measuredChunks.cpuFactor;
  const indexing = frameCount * measuredChunks.cpuSecondsPerIndexedFrame;
  const parts = chunks + 1;
  return {
    chunks,
    prepare: {
      seconds: overheadSeconds + sourceGb / networkGbps + indexing,
      // Reads the upload, and looks which version it is; leaves the plan.
      gets: 2,
      puts: 1,
    },
    chunk: {
      seconds: overheadSeconds + (cpu * chunkSeconds) / busyProcessors(memoryMb),
      // Looks whether it is done, reads the plan, looks for the source, reads its beginning and its part.
      gets: 5,
      puts: uploads((resultGb - audioGb) / chunks) + 1,
    },
    audio: {
      seconds:
        overheadSeconds +
        Math.max(longVideo.seconds * measuredChunks.cpuSecondsPerAudioSecond, sourceGb / networkGbps),
      // One read after the other, to the end.
      gets: 4,
      puts: uploads(audioGb) + 1,
    },
    join: {
      seconds:
        overheadSeconds +
        Math.max(resultGb * measuredChunks.cpuSecondsPerJoinedGb, resultGb / networkGbps) +
        indexing +
        resultGb / networkGbps,
      // The plan; of each part its result, its file twice, and three reads of that; a list of what is to be removed.
      gets: 1 + parts * 6,
      puts: uploads(resultGb) + 1,
    },
  };
}

/** Of all functions together that work on the film. */
export function sumOfSteps({ prepare, chunk, audio, join, chunks }: LongVideoSteps, of: keyof Step): number {
  return prepare[of] + chunks * chunk[of] + audio[of] + join[of];
}

/** Requests that put a file: one, or one for each part with a call before and behind them. */
function uploads(gb: number): number {
  return gb <= partGb ? 1 : Math.ceil(gb / partGb) + 2;
}
