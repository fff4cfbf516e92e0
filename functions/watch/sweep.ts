import { mapConcurrent } from '../../core/async.ts';
import { AppError } from '../../core/errors.ts';
import { submitObject } from '../../core/watches/submit-object.ts';
import {
  isWatched,
  type ListedObject,
  type ObjectRecord,
  objectHash,
  type Watch,
  type WatchedBucket,
  type WatchState,
} from '../../core/watches/watch.ts';
import type { WatchDeps } from './take-event.ts';

/** Above it a watch is swept each hour, and otherwise every five minutes: listings are paid for. */
const maxFrequentObjects = 100_000;
const hourMs = 3_600_000;

/** Objects that were stored shortly before a watch was seen first are new, too: its deployment took a while. */
const graceMs = 15 * 60_000;

const concurrentJobs = 16;

export type SweepDeps = WatchDeps & { onFailure: (watch: Watch, cause: unknown) => void };

/**
 * Sweeps every watch that is due: makes the jobs that events did not make, finishes those that were begun, and removes the
 * records of objects that are gone.
 *
 * @returns the greatest lag in seconds of a watch that is not paused
 */
export function sweepWatches(deps: SweepDeps): (deadline: Date) => Promise<number> {
  return async (deadline) => {
    const lags = await mapConcurrent(deps.ofStage, 4, async (watch) => {
      const state = await deps.watches.state(watch.name);
      const now = deps.clock.now();
      if (state.nextSweepAt !== undefined && state.nextSweepAt > now.toISOString()) return currentLag(state, now);
      try {
        return await sweepWatch(deps, watch, state, deadline);
      } catch (error) {
        deps.onFailure(watch, error);
        return currentLag(state, now);
      }
    });
    return Math.max(0, ...lags);
  };
}

/** A watch that cannot be swept lags since its last sweep. A paused one waits, but does not lag. */
function currentLag({ isPaused, lastSweepAt, since, lagSeconds, nextSweepAt }: WatchState, now: Date): number {
  if (isPaused) return 0;
  const expected = nextSweepAt ?? lastSweepAt ?? since;
  return expected === undefined ? 0 : Math.max(lagSeconds, (now.getTime() - Date.parse(expected)) / 1000);
}

/** What a sweep remembers of a record, of which there are millions: only one that is not done has fields that are needed. */
type Known = ObjectRecord | 'made' | 'refused';

function known(record: ObjectRecord): Known {
  if (!record.isDone) return record;
  return record.refused === undefined ? 'made' : 'refused';
}

async function sweepWatch(deps: SweepDeps, watch: Watch, before: WatchState, deadline: Date): Promise<number> {
  const { watches, clock } = deps;
  const { since, isPaused } = await beginSweep(deps, watch, before);
  const bucket = await deps.openWatched(watch);
  // Read before the listing: what has a record then, and is not listed, is gone.
  const records = new Map<string, Known>();
  for await (const page of watches.list(watch.name)) for (const record of page) records.set(record.hash, known(record));
  const swept = { objects: 0, jobs: 0, waitingSince: undefined as Date | undefined };
  const wait = ({ storedAt }: ListedObject) => {
    if (swept.waitingSince === undefined || storedAt < swept.waitingSince) swept.waitingSince = storedAt;
  };
  const assertTime = () => {
    if (clock.now() > deadline)
      throw new Error(`The sweep of ${watch.name} did not end in time. The next one makes the jobs that are missing`);
  };
  const takesJobs = jobTaker(deps, { watch, bucket, isPaused });
  for await (const page of bucket.list()) {
    assertTime();
    const objects = page.map((object) => {
      const hash = objectHash(object);
      const record = records.get(hash);
      records.delete(hash);
      return { object, record };
    });
    const watched = objects.filter(({ object }) => isWatched(watch, bucket.prefix, object));
    await mapConcurrent(watched, concurrentJobs, async ({ object, record }) => {
      assertTime();
      if (object.isLatest) swept.objects += 1;
      if (record === 'made') swept.jobs += 1;
      const isNew = object.isLatest && object.storedAt >= since;
      if (typeof record === 'string' || (record === undefined && !isNew)) return;
      const result = await takesJobs(object, record);
      if (result === 'waits') wait(object);
      else if (result !== 'refused') swept.jobs += 1;
    });
  }
  await watches.remove(watch.name, [...records.keys()]);
  const now = clock.now();
  const { objects, jobs, waitingSince } = swept;
  const lagSeconds =
    waitingSince === undefined ? 0 : Math.max(0, Math.round((now.getTime() - waitingSince.getTime()) / 1000));
  const isLarge = objects > maxFrequentObjects;
  const nextSweepAt = new Date(now.getTime() + (isLarge ? hourMs : 0)).toISOString();
  await watches.recordSweep(watch.name, { lastSweepAt: now.toISOString(), nextSweepAt, objects, jobs, lagSeconds });
  return isPaused ? 0 : lagSeconds;
}

/** Sets since when objects are new, at the first sweep of a place; and of a large watch, before which time no other begins. */
async function beginSweep(
  { watches, clock }: SweepDeps,
  { name, storageProviderId, prefix, bucket }: Watch,
  before: WatchState,
): Promise<{ isPaused: boolean; since: Date }> {
  const now = clock.now().getTime();
  const source = JSON.stringify([storageProviderId, bucket, prefix]);
  const isKnown = before.source === source && before.since !== undefined;
  const since = isKnown && before.since !== undefined ? new Date(before.since) : new Date(now - graceMs);
  const isLarge = before.objects > maxFrequentObjects;
  if (!isKnown) await watches.recordSweep(name, { source, since: since.toISOString() });
  if (isLarge) await watches.recordSweep(name, { nextSweepAt: new Date(now + hourMs).toISOString() });
  return { isPaused: before.isPaused, since };
}

/** Makes the job of an object; an object of a paused watch waits, and after a failure that others would repeat, all do. */
function jobTaker(
  deps: SweepDeps,
  { watch, bucket, isPaused }: { watch: Watch; bucket: WatchedBucket; isPaused: boolean },
) {
  let isStopped = isPaused;
  return async (
    object: ListedObject,
    record: ObjectRecord | undefined,
  ): Promise<'waits' | 'made' | 'known' | 'refused'> => {
    if (isStopped) return 'waits';
    try {
      return (await submitObject(deps, watch, { ...bucket, ...object }, { found: record })).is;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      isStopped = true;
      deps.onFailure(watch, error);
      return 'waits';
    }
  };
}
