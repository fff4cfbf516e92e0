import type { ChunkSettings } from '../../core/chunking/settings.ts';
import type { Settings } from './settings.ts';

/**
 * The settings by which workers cut videos. No more chunks of a job run at once than there are functions for chunks, or than
 * its owner may run.
 */
export function chunkingOf({
  parallel,
  ownerLimits,
}: Pick<Settings, 'parallel' | 'ownerLimits'>): ChunkSettings {
  const { reservedConcurrency: _, maxConcurrency, ...chunking } = parallel;
  const running = Math.min(chunking.maxParallelChunks, maxConcurrency, ownerLimits.maxRunningChunks);
  // The setting is two at least.
  return { ...chunking, maxParallelChunks: Math.max(2, running) };
}
