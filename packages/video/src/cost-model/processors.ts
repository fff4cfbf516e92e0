import type { WorkerMemory } from '../encoding/encoder-memory.ts';
import type { PlanCost } from './plan-cost.ts';

/** The processors of a function, as ffmpeg can use them. */
export type Processors = {
  /** vCPUs, also a part of one. */
  count: number;
  /** Seconds of one of them for each second of the machine that was calibrated. */
  slowness: number;
};

/** Lambda allots one vCPU for each 1,769 MB of memory (AWS Lambda Developer Guide). */
const memoryPerCpuMb = 1769;

/** Share of several vCPUs that ffmpeg uses. Assumed. */
const efficiency = 0.85;

/**
 * Seconds of a vCPU of Lambda for each second of the calibrated machine, an EPYC of 2022. Assumed from the clock rates:
 * arm64 is a core of Graviton2 at 2.5 GHz, x86_64 a hyper-thread of Xeon or EPYC of several years. What a stage measures
 * corrects it.
 */
export const lambdaSlowness = { arm64: 1.3, x86_64: 1.4 } as const;

/** vCPUs that ffmpeg keeps busy. */
export function usedCpus(count: number): number {
  return count <= 1 ? count : count * efficiency;
}

/** Wall seconds of ffmpeg for processor seconds of the calibrated machine. */
export function wallSeconds(cpuSeconds: number, { count, slowness }: Processors): number {
  return (cpuSeconds * slowness) / usedCpus(count);
}

/** The same for runs of which one thread does a part by itself. */
export function expectedSeconds(
  { cpuSeconds, serialSeconds }: { cpuSeconds: number; serialSeconds: number },
  { count, slowness }: Processors,
): number {
  const serial = wallSeconds(serialSeconds, { count: Math.min(1, count), slowness });
  return serial + wallSeconds(cpuSeconds - serialSeconds, { count, slowness });
}

/** The memory of a function of this size, with all of its vCPUs. */
export function functionMemory(memoryMb: number): WorkerMemory {
  return { sizeBytes: memoryMb * 2 ** 20, cpuCount: Math.ceil(cpusOf(memoryMb)) };
}

/** The vCPUs of a function with this memory on a machine with so many. */
export function cpusOf(memoryMb: number, available = Number.POSITIVE_INFINITY): number {
  return Math.min(available, memoryMb / memoryPerCpuMb);
}

/** The estimate that nine of ten runs stay below, relative to the middle one: see packages/video/src/cost-model/DECISION.md. */
export const spread = 1.35;

/** A worker that could process a whole job. */
export type Candidate = {
  processors: Processors;
  /** Wall seconds that it has for the work. */
  maxSeconds: number;
  /** Whether its memory holds the encodings. */
  hasMemory: boolean;
  /** Whether the inputs, and what is copied of them, fit on its disk. */
  hasDisk: boolean;
};

export type Lack = 'memory' | 'disk' | 'time';

/** What a worker lacks to process a whole job; undefined if it can end it. An estimate is taken by its p90. */
export function lackOfWorker(
  cost: Pick<PlanCost, 'cpuSeconds' | 'serialSeconds'>,
  { hasMemory, hasDisk, processors, maxSeconds }: Candidate,
): Lack | undefined {
  if (!hasMemory) return 'memory';
  if (!hasDisk) return 'disk';
  return expectedSeconds(cost, processors) * spread <= maxSeconds ? undefined : 'time';
}
