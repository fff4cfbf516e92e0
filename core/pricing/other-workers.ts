import { cpusOf, functionMemory, type Processors } from '../cost-model/processors.ts';
import type { WorkerMemory } from '../encoding/encoder-memory.ts';
import type { OtherWorkerName } from '../jobs/record.ts';
import type { PricedWorkers } from './priced-workers.ts';

/** The computer of a worker to which whole jobs are delegated. */
export type OtherComputer = {
  name: OtherWorkerName;
  processors: Processors;
  memory: WorkerMemory;
  /** Of a function: the memory that is billed for each second. */
  gigabytes?: number;
};

/** The other workers of a stage, in the order of preference. */
export function otherComputers({ largeMemoryMb, fargate, slowness }: PricedWorkers): OtherComputer[] {
  const large: OtherComputer[] =
    largeMemoryMb === undefined
      ? []
      : [
          {
            name: 'large',
            processors: { count: cpusOf(largeMemoryMb), slowness },
            memory: functionMemory(largeMemoryMb),
            gigabytes: largeMemoryMb / 1024,
          },
        ];
  if (fargate === undefined) return large;
  const { vcpus, memoryMb } = fargate;
  const memory = { sizeBytes: memoryMb * 2 ** 20, cpuCount: Math.ceil(vcpus) };
  return [...large, { name: 'fargate', processors: { count: vcpus, slowness }, memory }];
}
