import { createHash } from 'node:crypto';
import type { WorkerMemory } from '../encoding/encoder-memory.ts';
import type { EncoderSlowness } from './cost-table.ts';
import type { PlanCost } from './plan-cost.ts';

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

/**
 * What the jobs of a stage measured: the slowness of an encoder by the jobs of one group of owners, under the name of both.
 * Under the name of the encoder alone: by all jobs, as older versions stored it. Under `other`: of the machine of a local stage.
 */
export type MeasuredSlowness = Readonly<Record<string, number>>;

export type SlownessStore = { read(): Promise<MeasuredSlowness>; write(name: string, slowness: number): Promise<void> };

/** In shorter work, starts of processes and of the disk take most of the time. */
const minExpectedSeconds = 2;

/** Share of one long job in the new value of its group: ten jobs take over nine tenths of a change. */
const longWeight = 0.25;

/** From here on a job is long. A shorter one counts less: a start of a process is a larger share of it. */
const longSeconds = 10;

/**
 * A measurement outside is an accident, or a source that does not match its bit rate. Inside are the encoders that were
 * measured: the fastest took half as long as calibrated, on a machine with an assumed slowness of 1.4.
 */
const range = { min: 1 / 3, max: 2 } as const;

/** So few that one item has them all. */
const groups = 32;

/** The median of fewer groups can be the value of one of them, whatever the others measured. */
const minGroups = 3;

/**
 * The slowness of each encoder for the jobs of an owner. One owner cannot move it for others, whatever the sources say: it
 * is the median of the groups, and until three of them have measured, what the owner's own group has measured.
 */
export function slownessFor(measured: MeasuredSlowness, ownerId: string): EncoderSlowness {
  const byEncoder = Map.groupBy(Object.entries(measured), ([name]) => name.split('#')[0] ?? name);
  const known = [...byEncoder].map(([encoder, values]) => {
    const ofGroups = values.filter(([name]) => name !== encoder).map(([, value]) => value);
    const median = ofGroups.toSorted((one, other) => one - other)[Math.floor(ofGroups.length / 2)];
    const own = measured[nameOf(encoder, ownerId)] ?? measured[encoder];
    return [encoder, limited((ofGroups.length < minGroups ? own : median) ?? measured.other ?? 1)] as const;
  });
  return Object.fromEntries(known);
}

/**
 * The value of an owner's group after another job: a geometric mean, with the weight of the job. Undefined if it is short,
 * has several encoders or none, or its measurements decided how long it took. `seconds` is what ffmpeg took.
 */
export function learnSlowness(
  measured: MeasuredSlowness,
  ownerId: string,
  job: { known: EncoderSlowness; cost: PlanCost; expectedSeconds: number; seconds: number },
): { name: string; slowness: number } | undefined {
  const { cost, expectedSeconds, seconds } = job;
  const [encoder, ...others] = cost.encoders;
  const isMeasured = cost.finalCpuSeconds === cost.cpuSeconds && seconds > 0;
  if (encoder === undefined || others.length > 0 || !isMeasured || expectedSeconds < minExpectedSeconds)
    return undefined;
  const name = nameOf(encoder, ownerId);
  const known = job.known[encoder] ?? job.known.other ?? 1;
  const own = measured[name] ?? known;
  const weight = longWeight * Math.min(1, expectedSeconds / longSeconds);
  const slowness = own ** (1 - weight) * ((known * seconds) / expectedSeconds) ** weight;
  return { name, slowness: limited(slowness) };
}

function nameOf(encoder: string, ownerId: string): string {
  const group = createHash('sha256').update(ownerId).digest().readUInt32BE() % groups;
  return `${encoder}#${group}`;
}

function limited(slowness: number): number {
  return Math.min(range.max, Math.max(range.min, slowness));
}
