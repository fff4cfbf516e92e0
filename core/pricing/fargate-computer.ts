import type { Computer } from '@media-jobs/video/decide';
import type { WorkerMemory } from '@media-jobs/video/encoding';
import type { PricedWorkers } from './priced-workers.ts';

/** The computer of a Fargate task, to which whole jobs are delegated. */
export type FargateComputer = Computer & { memory: WorkerMemory };

/** What the inputs of a job may take of the disk of a task. The rest is for the outputs. */
export function taskDownloadBytes(storageGb: number): number {
  return storageGb * 900_000_000;
}

/** That of the stage; undefined if it has no such tasks. */
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
