import { chunkLength, chunkSettingsSchema, maxChunks, maxParallelTasks } from '@media-jobs/video/chunking';
import { minPartBytes } from '../../../../core/storage/assembly.ts';
import { recipeCost } from '../../../cost/recipe-forecast.ts';

/** The video of two hours that `film` reckons: an uploaded MP4 with its index at the front. */
export const longVideo = {
  durationSeconds: 2 * 3600,
  resolution: '1080p',
  framesPerSecond: 30,
} as const;

/** Of a single pass. */
export const longVideoCost = recipeCost(longVideo);

/** The maximum memory of a function, with six vCPUs. */
export const longVideoMemoryMb = 10_240;

/** GB per second between a function and S3. Assumed. */
export const networkGbPerSecond = 0.075;

/** Requests of the join before it assembles, and how many of them run at once. */
export const requestsPerChunk = 5;
export const concurrentRequests = 16;

/** What the join itself moves of a result: chunks that are too small for S3 to copy. */
export function carriedGb(gb: number, chunks: number): number {
  return gb / chunks < minPartBytes / 1e9 ? gb : 0;
}

/** The number of chunks of the long video, with default settings but for the chunks at once. */
export function chunksOf(executions: number): number {
  const { durationSeconds } = longVideo;
  const maxParallelChunks = Math.min(executions, maxParallelTasks);
  const length = chunkLength(
    { durationSeconds, cpuSeconds: longVideoCost.cpuSeconds, codecs: 1, hasRate: false },
    { ...chunkSettingsSchema.parse({}), maxParallelChunks },
  );
  return Math.min(maxChunks, Math.floor(durationSeconds / length));
}
