import { type ChunkSettings, chunkSettingsSchema, maxParallelTasks } from '@media-jobs/video/chunking';
import { type OwnerLimits, ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import { limitOfBatches } from '../../core/jobs/queues.ts';
import { type CapacitySettings, divideCapacity } from './capacity.ts';
import type { Settings } from './settings.ts';

export type LimitedSettings = Pick<Settings, 'tenancy' | 'ownerLimits' | 'fargate'> & CapacitySettings;

/** A list of keys is read and answered at once. */
const maxKeys = { single: 10_000, multi: 1_000 };

const maxOpenBatches = { single: 100, multi: 10 };

const maxSlowOrigins = 20;

/** Fewer would leave workers idle while a few long jobs run elsewhere. */
const minRunningJobs = 10;

/** More jobs with Fargate tasks, which hold no function. */
const fargateJobs = 100;

/**
 * The limits of each owner. The one owner of a stage of one team has as many running jobs as functions can work on: others
 * wait in the queue, where they lose no attempt. Half of the first attempts of webhooks are left to receivers that are not slow.
 */
export function ownerLimitsOf(settings: LimitedSettings): OwnerLimits {
  const { tenancy, fargate } = settings;
  const { workers, chunks, firstAttempts } = divideCapacity(settings);
  const maxSlowDeliveries = Math.floor(firstAttempts / 2);
  const ofTenancy = { maxKeys: maxKeys[tenancy], maxOpenBatches: maxOpenBatches[tenancy] };
  if (tenancy === 'multi') {
    const limits = ownerLimitsSchema.parse(settings.ownerLimits ?? {});
    return { ...limits, ...ofTenancy, maxSlowDeliveries: Math.min(2, maxSlowDeliveries), maxSlowOrigins };
  }
  const running = Math.max(minRunningJobs, workers + chunks) + (fargate === undefined ? 0 : fargateJobs);
  const maxBatchChunks = limitOfBatches(chunks);
  return { ...ofTenancy, maxRunningJobs: Math.min(1_000, running), maxBatchChunks, maxSlowDeliveries };
}

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
