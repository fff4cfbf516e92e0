import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import type { Processors } from '@media-jobs/video/cost-model';
import type { Computer } from '@media-jobs/video/decide';
import type { WorkerMemory } from '@media-jobs/video/encoding';
import * as z from 'zod';
import { pricedFargateSchema, pricedStageSchema } from './region-prices.ts';

/** The computer of a Fargate task, to which whole jobs are delegated. */
export type FargateComputer = Computer & { memory: WorkerMemory };

/**
 * A task of the pool, whatever a task for one job has: many vCPUs share its address, and Fargate includes its disk but for one
 * GB.
 */
export const poolTask = { vcpus: 8, memoryMb: 16_384, storageGb: 21 } as const;

/** The jobs that a task of the pool processes at once: two vCPUs for each. */
export const poolSlots = poolTask.vcpus / 2;

/** Jobs for which the pool starts a task, over which the price divides its start of a minute. */
export const jobsPerPoolTask = 10;

/** Assumed of the pool: the start of a task, and its time without work and with work that an interruption repeats. */
export const poolOverhead = { startSeconds: 60, idle: 0.1, repeated: 0.08 } as const;

export function poolProcessors({ slowness }: Pick<PricedWorkers, 'slowness'>): Processors {
  return { count: poolTask.vcpus / poolSlots, slowness };
}

/** What the inputs of a job may take of the disk of a task. The rest is for the outputs. */
export function taskDownloadBytes(storageGb: number): number {
  return storageGb * 900_000_000;
}

/** The Fargate tasks of a stage for one job each; undefined if it has none. */
export function fargateComputer({
  fargate,
  slowness,
}: Pick<PricedWorkers, 'fargate' | 'slowness'>): FargateComputer | undefined {
  if (fargate === undefined) return undefined;
  const { vcpus, memoryMb, storageGb, maxHours } = fargate;
  return {
    processors: { count: vcpus, slowness },
    memory: { sizeBytes: memoryMb * 2 ** 20, cpuCount: Math.ceil(vcpus) },
    maxSeconds: maxHours * 3600,
    maxDownloadBytes: taskDownloadBytes(storageGb),
  };
}

/** The workers of a stage as deployed: what the time and the price of a job depend on. */
export const pricedWorkersSchema = pricedStageSchema.extend({
  /** Seconds of a vCPU for each second of the calibrated machine. */
  slowness: z.number().positive(),
  /** Seconds after which Lambda ends a worker. */
  timeoutSeconds: z.int().min(1),
  chunking: chunkSettingsSchema,
  /** Undefined if the stage has no Fargate tasks. A task has so many hours for a job. */
  fargate: pricedFargateSchema.extend({ maxHours: z.number().positive() }).optional(),
});

export type PricedWorkers = z.output<typeof pricedWorkersSchema>;
