import { type ChunkSettings, chunkSettingsSchema, maxParallelTasks } from '@media-jobs/video/chunking';
import { divideCapacity } from './capacity.ts';
import { type LimitedSettings, ownerLimitsOf } from './owner-limits.ts';

/**
 * How workers cut videos. No more chunks of a job run at once than there are functions for chunks, or than its owner may
 * run, or than one record can follow.
 */
export function chunkingOf(settings: LimitedSettings): ChunkSettings {
  const { chunks } = divideCapacity(settings);
  const { maxRunningChunks = chunks } = ownerLimitsOf(settings);
  const running = Math.min(maxParallelTasks, chunks, maxRunningChunks);
  // The least of the schema.
  return chunkSettingsSchema.parse({ maxParallelChunks: Math.max(2, running) });
}
