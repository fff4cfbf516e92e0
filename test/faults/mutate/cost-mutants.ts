import type { Mutant } from './mutant.ts';

function mutant(name: string, file: string, find: string, replace: string): Mutant {
  return { name, edits: [{ file, from: '', find, replace }] };
}

/** What counts the time of a job, and stops it at its `maxCostUsd`, or far above what is reserved for it, removed one at a time. */
export const costMutants: readonly Mutant[] = [
  mutant(
    'that a worker stops at the cost limit',
    'functions/worker/time-limits.ts',
    'if (affordable === Number.POSITIVE_INFINITY) return undefined;',
    'if (affordable > 0) return undefined;',
  ),
  mutant(
    'that a reservation limits the cost of a job',
    'functions/transcode/require-fitting-cost.ts',
    'return costLimitOfReservation(reservedUsd);',
    'return Number.MAX_VALUE;',
  ),
  mutant(
    'that the chunk tasks of a job know the limit of its reservation',
    'functions/transcode/attempt.ts',
    'return { ...job, ...costLimits, ',
    'return { ...job, ',
  ),
  mutant(
    'that the size of finished files is compared with the cost limit',
    'functions/worker/fitting-files.ts',
    'if (exceeded !== undefined) throw exceeded;',
    'if (exceeded !== undefined) return 0;',
  ),
  mutant(
    'that a chunk task stops at the cost limit',
    'functions/encode-chunk/app.ts',
    'return findExceededCost(job, deps.pricedStage, deps.clock.now());',
    'return undefined;',
  ),
  mutant(
    'that the chunk tasks of a stopped job count until they stop',
    'core/jobs/function-use.ts',
    'return { ...use, taskMs: use.taskMs + missingMs };',
    'return use;',
  ),
  mutant(
    'that a chunk task records that it has begun',
    'functions/chunked/watch-job.ts',
    'if (job.chunkProgress !== undefined) await record(heartbeat).catch(() => undefined);',
    '',
  ),
  mutant(
    'that a chunked job at its cost limit is not requeued',
    'functions/join-chunks/retry-or-fail.ts',
    'const isRetry = exceeded === undefined && mayRequeue(job);',
    'const isRetry = mayRequeue(job);',
  ),
];
