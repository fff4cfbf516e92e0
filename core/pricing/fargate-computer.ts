import type { Processors } from '@media-jobs/video/cost-model';
import type { WorkerMemory } from '@media-jobs/video/encoding';
import type { PricedWorkers } from './priced-workers.ts';

/** The computer of a Fargate task, to which whole jobs are delegated. */
export type FargateComputer = { processors: Processors; memory: WorkerMemory };

/** That of the stage; undefined if it has no such tasks. */
export function fargateComputer({ fargate, slowness }: PricedWorkers): FargateComputer | undefined {
  if (fargate === undefined) return undefined;
  const { vcpus, memoryMb } = fargate;
  const memory = { sizeBytes: memoryMb * 2 ** 20, cpuCount: Math.ceil(vcpus) };
  return { processors: { count: vcpus, slowness }, memory };
}
