import { type ChunkSettings, minChunkSeconds } from '../settings.ts';
import { minLimitedChunkSeconds } from './rate-target.ts';

/** Up to so many chunks of a job at once, they are not cut shorter: a stage with few functions shares them among jobs. */
const sharedExecutions = 40;

export type ChunkLengthSettings = Pick<ChunkSettings, 'targetChunkSeconds' | 'chunkCpuSeconds' | 'maxParallelChunks'>;

export type WorkToCut = {
  durationSeconds: number;
  /** Estimated processor seconds in the codec that takes the most. */
  cpuSeconds: number;
  /** A chunk is a task in each of them. */
  codecs: number;
  /** Its chunks keep a maximum bit rate. */
  hasRate: boolean;
};

/**
 * The length of a chunk in seconds: that of the settings, or shorter where its work would exceed the budget of a chunk. On a
 * stage that runs many chunks of a job at once it is shorter too, so that all of them run at once: down to half of that length
 * and half of that budget.
 */
export function chunkLength(
  { durationSeconds, cpuSeconds, codecs, hasRate }: WorkToCut,
  { targetChunkSeconds, chunkCpuSeconds, maxParallelChunks }: ChunkLengthSettings,
): number {
  const withinBudget = (chunkCpuSeconds * durationSeconds) / cpuSeconds;
  const usual = hasRate
    ? Math.max(minLimitedChunkSeconds, Math.min(targetChunkSeconds, withinBudget))
    : Math.min(targetChunkSeconds, Math.max(minChunkSeconds, withinBudget));
  if (maxParallelChunks <= sharedExecutions) return usual;
  const allAtOnce = (durationSeconds * codecs) / maxParallelChunks;
  const shortest = Math.max(targetChunkSeconds, withinBudget) / 2;
  const minSeconds = hasRate ? minLimitedChunkSeconds : minChunkSeconds;
  return Math.min(usual, Math.max(minSeconds, shortest, allAtOnce));
}
