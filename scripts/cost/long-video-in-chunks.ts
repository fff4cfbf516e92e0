import { maxParallelTasks } from '../../core/chunking/settings.ts';
import { prices } from '../../core/pricing/prices.ts';
import { chunkingOf } from '../../lib/settings/chunking.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { maxMapConcurrency } from '../../lib/state-machines/parallel-in-lists.ts';
import {
  type ChunkFunctions,
  type LongVideoSteps,
  longVideoSteps,
  type Step,
  sumOfSteps,
} from './long-video.ts';

/** The maximum memory of a function, with six vCPUs. */
export const longVideoMemoryMb = 10_240;

/** Those of a stage with default settings. */
export function defaultFunctions(): ChunkFunctions {
  const settings = readSettings({ default: {} }, 'default');
  return { memoryMb: settings.transcoder.memoryMb, executions: chunkingOf(settings).maxParallelChunks };
}

/** Those with the maximum memory. */
export function largeFunctions(...executions: readonly number[]): ChunkFunctions[] {
  return executions.map((count) => ({ memoryMb: longVideoMemoryMb, executions: count }));
}

const diskGb = 10 - 0.5;

/** Resources of the long video, encoded in chunks. */
export type LongVideoInChunks = {
  chunks: number;
  minutes: number;
  gbSeconds: number;
  transitions: number;
  s3Requests: number;
  dollars: number;
};

/** From the worker's start to the output in the bucket; on arm64. */
export function longVideoInChunks(functions: ChunkFunctions): LongVideoInChunks {
  const { memoryMb, executions } = functions;
  const steps = longVideoSteps(functions);
  const { prepare, chunk, join, chunks } = steps;
  const durations = Array.from({ length: chunks }, () => chunk.seconds);
  const total = (key: keyof Step) => sumOfSteps(steps, key);
  const gbSeconds = (total('seconds') * memoryMb) / 1024;
  const transitions = transitionsOf({ chunks, executions });
  return {
    chunks,
    minutes: (prepare.seconds + secondsOf(durations, executions) + join.seconds) / 60,
    gbSeconds,
    transitions,
    s3Requests: total('gets') + total('puts'),
    dollars:
      gbSeconds * prices.lambdaArm.dollars +
      (chunks + 2) * prices.lambdaRequest.dollars +
      total('seconds') * diskGb * prices.lambdaDisk.dollars +
      transitions * prices.transition.dollars +
      total('gets') * prices.fileGet.dollars +
      total('puts') * prices.filePut.dollars,
  };
}

/** State transitions: two Maps, each chunk and the join; for more chunks at once than one Map runs, the lists of them too. */
export function transitionsOf({
  chunks,
  executions,
}: Pick<LongVideoSteps, 'chunks'> & Pick<ChunkFunctions, 'executions'>): number {
  const inOneMap = chunks + 3;
  if (executions <= maxMapConcurrency) return inOneMap;
  const listLength = Math.ceil(Math.min(executions, maxParallelTasks) / maxMapConcurrency);
  return inOneMap + 1 + Math.ceil(chunks / listLength);
}

/** Total duration of tasks that start in order, `concurrency` at a time, each when another ends. */
export function secondsOf(durations: readonly number[], concurrency: number): number {
  const free = Array.from({ length: concurrency }, () => 0);
  for (const seconds of durations) {
    const next = free.indexOf(Math.min(...free));
    free[next] = (free[next] ?? 0) + seconds;
  }
  return Math.max(...free);
}
