import { prices } from '../../core/pricing/prices.ts';
import { type LongVideoSteps, longVideoSteps, type Step, sumOfSteps } from './long-video.ts';

/** The maximum memory of a function, with six vCPUs. */
export const longVideoMemoryMb = 10_240;
const diskGb = 10 - 0.5;

/** Resources of the long video, encoded in chunks. */
export type LongVideoInChunks = {
  minutes: number;
  gbSeconds: number;
  transitions: number;
  s3Requests: number;
  dollars: number;
};

/** From the worker's start to the output in the bucket; on arm64. */
export function longVideoInChunks(concurrency: number): LongVideoInChunks {
  const steps = longVideoSteps(longVideoMemoryMb);
  const { prepare, chunk, join, chunks } = steps;
  const durations = Array.from({ length: chunks }, () => chunk.seconds);
  const total = (key: keyof Step) => sumOfSteps(steps, key);
  const gbSeconds = (total('seconds') * longVideoMemoryMb) / 1024;
  const transitions = transitionsOf(steps);
  return {
    minutes: (prepare.seconds + secondsOf(durations, concurrency) + join.seconds) / 60,
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

/** State transitions: two Maps, each chunk and the join. */
export function transitionsOf({ chunks }: Pick<LongVideoSteps, 'chunks'>): number {
  return chunks + 3;
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
