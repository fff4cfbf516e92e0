import type { ChunkSettings } from '../../core/chunking/settings.ts';
import { ownerLimitsOf } from './owner-limits.ts';

/**
 * The settings by which workers cut videos. No more chunks of a job run at once than there are functions for chunks, or than
 * its owner may run.
 */
export function chunkingOf(settings: ChunkLimits): ChunkSettings {
  const { reservedConcurrency: _, maxConcurrency: __, ...chunking } = settings.parallel;
  const running = Math.min(...Object.values(chunkLimits(settings)));
  // The setting is two at least.
  return { ...chunking, maxParallelChunks: Math.max(2, running) };
}

/** The names of the settings that bound the chunks of a job that run at once: those with the smallest value. */
export function limitingSettings(settings: ChunkLimits): string[] {
  const limits = Object.entries(chunkLimits(settings));
  const smallest = Math.min(...limits.map(([, value]) => value));
  return limits.flatMap(([name, value]) => (value === smallest ? [name] : []));
}

type ChunkLimits = Parameters<typeof ownerLimitsOf>[0];

function chunkLimits(settings: ChunkLimits): Record<string, number> {
  const { parallel } = settings;
  const { maxRunningChunks } = ownerLimitsOf(settings);
  return {
    'parallel.maxParallelChunks': parallel.maxParallelChunks,
    'parallel.maxConcurrency': parallel.maxConcurrency,
    ...(maxRunningChunks === undefined ? {} : { 'ownerLimits.maxRunningChunks': maxRunningChunks }),
  };
}
