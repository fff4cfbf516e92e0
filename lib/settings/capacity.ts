import { integerBetween } from '@media-jobs/video/values';

/** The bounds of `MaximumConcurrency` of an event source mapping (AWS Lambda API Reference, "ScalingConfig"). */
const minMappedConcurrency = 2;
const maxMappedConcurrency = 1_000;

export const capacitySetting = integerBetween(10, 100_000).default(10).meta({
  description:
    'Concurrent executions of Lambda that the stage may use: a new account has 10, most others 1000. Divided among jobs, chunks, webhooks and the API, as the preflight prints it. Above 2100, queues get provisioned pollers, which cost by the hour; before you lower it again, see "Run more jobs at the same time".',
});

/** An override of the first attempts of webhooks, such as for receivers that take seconds to answer. */
export const firstAttemptsSetting = integerBetween(minMappedConcurrency, maxMappedConcurrency).optional().meta({
  description:
    'First attempts of webhooks at the same time; unset: a tenth of `capacity`, 2 to 1000. Receivers that hang occupy as many executions.',
});

/** What runs at the same time: the jobs, chunk tasks and joins of the queues, and first attempts of webhooks. */
export type DividedCapacity = {
  workers: number;
  chunks: number;
  joins: number;
  firstAttempts: number;
  /** Left to the API, reconcile and further attempts of webhooks. */
  others: number;
};

export type CapacitySettings = { capacity: number; webhooks?: { firstAttempts?: number | undefined } };

/** Chunk tasks at the same time for each join. The join of a long video takes seconds, its chunks minutes. */
const chunksPerJoin = 20;

/**
 * Divides the concurrent executions of a stage. A tenth is for first attempts of webhooks, since receivers may hang, and a
 * tenth for everything else. Of the rest, three of five executions encode chunks: a long job has many, and one worker.
 */
export function divideCapacity({ capacity, webhooks }: CapacitySettings): DividedCapacity {
  const tenth = Math.floor(capacity / 10);
  const firstAttempts = Math.min(maxMappedConcurrency, Math.max(minMappedConcurrency, tenth));
  const forJobs = capacity - firstAttempts - tenth;
  const joins = Math.max(minMappedConcurrency, Math.ceil((forJobs * 3) / 5 / chunksPerJoin));
  const chunks = Math.min(maxWorkers, Math.ceil(((forJobs - joins) * 3) / 5));
  const workers = Math.min(maxWorkers, forJobs - joins - chunks);
  return { workers, chunks, joins, firstAttempts: webhooks?.firstAttempts ?? firstAttempts, others: tenth };
}

/** Lambda rejects a reservation that leaves fewer executions to the other functions, except in small accounts. */
const minUnreserved = 100;

/**
 * Whether the workers reserve their executions: if what is left is enough, also while first attempts of webhooks hang. A
 * smaller account cannot reserve any; the queues limit the workers in any case.
 */
export function isReserved(settings: CapacitySettings): boolean {
  const { workers, chunks, joins, firstAttempts } = divideCapacity(settings);
  return settings.capacity - workers - chunks - joins >= minUnreserved + firstAttempts;
}

/** A read takes some 50 ms: four at a time are enough for 80 a second. */
const maxReads = 4;

/**
 * Playlists of an owner that are read at storage providers at the same time, each for at most five seconds. A provider that
 * hangs holds a tenth of the stage's executions at most.
 */
export function maxPlaylistReads({ capacity }: { capacity: number }): number {
  return Math.max(1, Math.min(maxReads, Math.floor(capacity / 10)));
}

/** Invocations of one provisioned poller at the same time (AWS Lambda Developer Guide, "Provisioned mode" of SQS). */
const invocationsPerPoller = 10;

/**
 * 2,000 provisioned pollers, the most that the CDK accepts. Lambda accepts 10,000 of a queue (AWS Lambda API Reference,
 * "ProvisionedPollerConfig").
 */
const maxWorkers = 2_000 * invocationsPerPoller;

/**
 * What bounds the invocations of a queue's mapping: its maximum concurrency, or above that its provisioned pollers, which
 * then invoke no more than `maxConcurrency` either. AWS accepts only one of them. CloudFormation does not remove the pollers:
 * see "Run more jobs at the same time" in docs/operating.md.
 */
export function mappingScale(
  maxConcurrency: number,
): { maxConcurrency: number } | { provisionedPollerConfig: { minimumPollers: number; maximumPollers: number } } {
  if (maxConcurrency <= maxMappedConcurrency) return { maxConcurrency };
  const maximumPollers = Math.floor(maxConcurrency / invocationsPerPoller);
  // The smallest number that AWS accepts: pollers are added within seconds of a burst.
  return { provisionedPollerConfig: { minimumPollers: 2, maximumPollers } };
}
