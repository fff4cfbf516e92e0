import { type LongVideoSteps, longVideoSteps, type Step, sumOfSteps } from './long-video-steps.ts';
import { prices } from './prices.ts';

/** Six processors: the most that a function may have. */
export const longVideoMemoryMb = 10_240;
const diskGb = 10 - 0.5;

/** What the film takes in parts, so many at once. */
export type LongVideoInChunks = {
  minutes: number;
  gbSeconds: number;
  transitions: number;
  /** To S3. */
  requests: number;
  dollars: number;
};

/** The whole way of the film, from the worker's start to the finished file in the bucket; on arm64. */
export function longVideoInChunks(atOnce: number): LongVideoInChunks {
  const steps = longVideoSteps(longVideoMemoryMb);
  const { prepare, chunk, audio, join, chunks } = steps;
  // As the map begins them.
  const parts = [audio, ...Array.from({ length: chunks }, () => chunk)];
  const lengths = parts.map(({ seconds }) => seconds);
  const total = (of: keyof Step) => sumOfSteps(steps, of);
  const gbSeconds = (total('seconds') * longVideoMemoryMb) / 1024;
  const transitions = transitionsOf({ chunks });
  return {
    minutes: (prepare.seconds + secondsOf(lengths, atOnce) + join.seconds) / 60,
    gbSeconds,
    transitions,
    requests: total('gets') + total('puts'),
    dollars:
      gbSeconds * prices.lambdaArm.dollars +
      (parts.length + 2) * prices.lambdaRequest.dollars +
      total('seconds') * diskGb * prices.lambdaDisk.dollars +
      transitions * prices.transition.dollars +
      total('gets') * prices.fileGet.dollars +
      total('puts') * prices.filePut.dollars,
  };
}

/** The map, each chunk, the sound, and the join. */
export function transitionsOf({ chunks }: Pick<LongVideoSteps, 'chunks'>): number {
  return chunks + 3;
}

/** How long parts take of which so many are done at once, each begun when another ends, in their order. */
export function secondsOf(parts: readonly number[], atOnce: number): number {
  const free = Array.from({ length: atOnce }, () => 0);
  for (const seconds of parts) {
    const next = free.indexOf(Math.min(...free));
    free[next] = (free[next] ?? 0) + seconds;
  }
  return Math.max(...free);
}
