import { type CostTable, costTable, type SlownessStore, slownessFor } from '@media-jobs/video/cost-model';
import { JobError } from '@media-jobs/video/errors';
import type { InputLimits, Probe } from '@media-jobs/video/probe';
import { mapConcurrent } from '../../core/async.ts';
import { authorOf, type Batch, type BatchEstimate, watchOfBackfill } from '../../core/batches/batch.ts';
import { type ExpectedJob, estimateObjects, type Listing, sampleOf } from '../../core/batches/estimate-objects.ts';
import { AppError } from '../../core/errors.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { limitOfBatches } from '../../core/jobs/queues.ts';
import { withResolvedRequest } from '../../core/presets/resolve/resolve-request.ts';
import { estimateRequest } from '../../core/pricing/estimate-request.ts';
import type { PricedWorkers } from '../../core/pricing/fargate-computer.ts';
import { type AcceptJobDeps, chooseSpeed, storedAt } from '../../core/submission/accept-job.ts';
import { chooseDestination } from '../../core/submission/choose-destination.ts';
import { jobOfObject } from '../../core/watches/submit-object.ts';
import {
  isWatched,
  type ListedObject,
  type OpenWatched,
  objectHash,
  type Watch,
  type WatchedBucket,
  type WatchTable,
} from '../../core/watches/watch.ts';

export type HeaderSource = { sizeBytes: number; read: (start: number, end: number) => Promise<Uint8Array> };

export type ListObjectsDeps = Pick<AcceptJobDeps, 'settings' | 'providers' | 'presets' | 'speeds'> & {
  watches: Pick<WatchTable, 'list'>;
  /** Those of the settings. */
  ofStage: readonly Watch[];
  openWatched: OpenWatched;
  /** Stores these lines as the manifest of a batch. */
  storeLines: (batch: Batch, lines: AsyncIterable<string>) => Promise<{ bytes: number; lines: number }>;
  /** What the header of a file tells; undefined if it cannot be read. */
  readHeader: (source: HeaderSource) => Promise<Probe | undefined>;
  slowness: Pick<SlownessStore, 'read'>;
  workers: PricedWorkers;
  inputLimits: InputLimits;
  clock: Pick<Clock, 'now'>;
  minuteUsd: number;
  limits: { maxRunningJobs: number };
};

/** A function ends after five minutes. */
const listWithinMs = 210_000;
const headersWithinMs = 50_000;
const concurrentHeaders = 12;

/** After two executions that died, a header may be the reason. */
const maxStartsWithHeaders = 2;

/**
 * Stores the objects of a backfill as its manifest, and estimates their jobs by some of their headers. An object that has a
 * record with a job is left out: the job of each version is made once, whoever sees it first.
 *
 * @throws AppError if the listing takes too long, or the watch or its preset does not exist
 */
export function listObjects(
  deps: ListObjectsDeps,
): (batch: Batch) => Promise<{ bytes: number; lines: number; estimate: BatchEstimate }> {
  return async (batch) => {
    const watch = watchOfBackfill(deps.ofStage, batch);
    const bucket = await deps.openWatched(watch);
    const sample = sampleOf();
    const { again } = batch.backfill ?? {};
    const objects = again === undefined ? withoutJobs(deps, watch, bucket) : namedObjects(bucket, again);
    async function* lines() {
      for await (const { key, object } of objects) {
        if (object !== undefined) sample.add(object, objectHash(object));
        const { versionId, etag, sizeBytes } = object ?? {};
        yield `${JSON.stringify({ id: key, versionId, etag, sizeBytes })}\n`;
      }
    }
    const stored = await deps.storeLines(batch, lines());
    const listing = sample.listing();
    const jobs =
      batch.starts > maxStartsWithHeaders ? new Map() : await expectJobs(deps, batch, { watch, bucket, listing });
    const workers = limitOfBatches(deps.limits.maxRunningJobs);
    return { ...stored, estimate: estimateObjects(listing, jobs, { workers, minuteUsd: deps.minuteUsd }) };
  };
}

type Found = { key: string; object: ListedObject | undefined };

async function* withoutJobs(
  { watches, clock }: ListObjectsDeps,
  watch: Watch,
  bucket: WatchedBucket,
): AsyncGenerator<Found> {
  const deadline = clock.now().getTime() + listWithinMs;
  const done = new Set<string>();
  for await (const page of watches.list(watch.name)) for (const { hash, isDone } of page) if (isDone) done.add(hash);
  for await (const page of bucket.list()) {
    if (clock.now().getTime() > deadline)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The listing of ${watch.name} takes too long: divide its prefix among watches.`,
      );
    for (const object of page)
      if (object.isLatest && isWatched(watch, bucket.prefix, object) && !done.has(objectHash(object)))
        yield { key: object.key, object };
  }
}

async function* namedObjects(bucket: WatchedBucket, keys: readonly string[]): AsyncGenerator<Found> {
  for (const key of new Set(keys)) {
    const found = key.startsWith(bucket.prefix) ? await bucket.head(key) : undefined;
    yield { key, object: found && { ...found, storedAt: new Date(0), isLatest: true } };
  }
}

/** What the jobs of the sample will take, by the hashes of their objects: one whose header cannot be read is left out. */
async function expectJobs(
  deps: ListObjectsDeps,
  batch: Batch,
  { watch, bucket, listing }: { watch: Watch; bucket: WatchedBucket; listing: Listing },
): Promise<Map<string, ExpectedJob>> {
  const { presets, clock, inputLimits, workers } = deps;
  const { ownerId } = batch;
  const table: CostTable = { ...costTable, slowness: slownessFor(await deps.slowness.read(), ownerId) };
  const { job, output } = jobOfObject(watch, { ...bucket, key: `${bucket.prefix}object` });
  return withResolvedRequest({ presets, ownerId, job }, async (resolved) => {
    const request = storedAt(resolved.request, output);
    const destination = await chooseDestination(deps, ownerId, request);
    const { speed = 'standard' } = chooseSpeed(request, { principal: authorOf(batch), ...deps, now: clock.now() });
    const estimated = { request, destination, speed, table, inputLimits };
    const deadline = clock.now().getTime() + headersWithinMs;
    const jobs = new Map<string, ExpectedJob>();
    const sample = listing.classes.flatMap((each) => each.sample);
    await mapConcurrent(sample, concurrentHeaders, async ({ hash, object: { key, sizeBytes } }) => {
      if (clock.now().getTime() > deadline) return;
      const read = (start: number, end: number) => bucket.read(key, { start, end });
      const probe = await deps.readHeader({ sizeBytes, read });
      if (probe !== undefined) jobs.set(hash, expectJob({ ...estimated, probe }, workers));
    });
    return jobs;
  });
}

function expectJob(estimated: Parameters<typeof estimateRequest>[0], workers: PricedWorkers): ExpectedJob {
  const mediaSeconds = estimated.probe.durationSeconds ?? 0;
  try {
    const { seconds, usd } = estimateRequest(estimated, workers);
    return { mediaSeconds, seconds, usd };
  } catch (cause) {
    if (!(cause instanceof JobError)) throw cause;
    // The job will be rejected.
    const nothing = { p50: 0, p90: 0 };
    return { mediaSeconds, seconds: nothing, usd: nothing };
  }
}
