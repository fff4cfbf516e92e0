import type { Random } from '@media-jobs/testing/random';
import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import type { BatchStep } from '../../../core/batches/batch.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { complete } from '../../../core/jobs/termination.ts';
import { claim } from '../../../core/jobs/transitions.ts';
import { type StageBuckets, withStageBuckets } from '../../../core/storage/stage-bucket.ts';
import type { Watch, WatchedObject, WatchTable } from '../../../core/watches/watch.ts';
import type { StepResult } from '../../../functions/run-batch/app.ts';
import { type SweepDeps, sweepWatches } from '../../../functions/watch/sweep.ts';
import { takeEvent } from '../../../functions/watch/take-event.ts';
import { aJobId } from '../../../test/builders/jobs/jobs.ts';
import { memoryJobTable } from '../memory/job-table.ts';
import { memoryMetadataIndex } from '../memory/metadata-index.ts';
import { memoryPresetTable } from '../memory/preset-table.ts';
import { memoryRunningLimit } from '../memory/running-limit.ts';
import { memorySettingsTable } from '../memory/settings-table.ts';
import { memorySpendingCounters } from '../memory/spending-counters.ts';
import { memoryStorageProviderTable } from '../memory/storage-provider-table.ts';
import { memoryWatchTable } from '../memory/watch-table.ts';
import { memoryBackfills } from './backfills.ts';
import { memoryBuckets } from './watched-buckets.ts';

/** The stage was killed: an invocation of before it has ended. */
class KilledError extends Error {
  override readonly name = 'KilledError';
}

const ownerId = 'stage';
const ofStage: StageBuckets = {
  region: 'us-east-1',
  buckets: ['plain', 'versioned', 'results'].map((name) => ({
    ...{ name, bucket: `${name}-media`, access: 'read-write' as const, owners: [ownerId] },
  })),
};
const rules = { schemes: ['https' as const], reachable: [] };

export const watches: Watch[] = ['plain', 'versioned'].map((name) => ({
  ...{ name, ownerId, storageProviderId: `bucket:${name}`, bucket: `${name}-media`, prefix: 'raw/' },
  ...{
    suffixes: ['.mp4'],
    preset: 'web',
    output: { storageProviderId: 'bucket:results', key: '{source}.{extension}' },
  },
}));

/** The function `watch` on stores in memory, and the jobs that it made. */
export async function aWatchWorld(start: Date, random: Random) {
  const clock = aVirtualClock(start);
  const buckets = memoryBuckets(new Set(['versioned-media']));
  const presets = memoryPresetTable();
  await presets.create(ownerId, {
    ...{ id: 'web', name: 'web', version: 1, draft: false, retired: false, title: '', description: '', allow: [] },
    ...{ request: { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'mute' } }, source: 'owner' },
    createdAt: start.toISOString(),
  });
  const hashOfJob = new Map<string, string>();
  const made: { jobId: string; at: Date }[] = [];
  const table = memoryWatchTable();
  const remembering: WatchTable = {
    ...table,
    add: async (name, record) => {
      hashOfJob.set(record.jobId, record.hash);
      return table.add(name, record);
    },
  };
  const jobs = memoryJobTable({
    onWritten: ({ job: { jobId } }, before) => {
      if (before === undefined) made.push({ jobId, at: clock.now() });
    },
  });
  const { stepWith, ...backfills } = memoryBackfills();
  const queued: JobRef[] = [];
  let [ids, epoch, kills] = [0, 0, 0];
  let erased = false;
  /** A port whose calls take some turns, so that invocations overlap; one that has been killed calls it no more. */
  const mortal = <Port extends object>(port: Port, born: number): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function' || name === 'list') return value;
        return async (...values: unknown[]) => {
          for (let turns = random.between(0, 3); turns > 0; turns -= 1) await undefined;
          if (kills > 0 && random.chance(0.02)) {
            kills -= 1;
            epoch += 1;
          }
          if (born !== epoch) throw new KilledError('The stage was killed');
          return value.apply(target, values);
        };
      },
    });
  const depsOf = (born: number): SweepDeps => ({
    ...{ clock, minuteUsd: 0.0024, speeds: { default: 'standard', hasPool: false }, ofStage: watches, presets },
    watches: mortal(remembering, born),
    jobs: mortal(jobs, born),
    metadataIndex: mortal(memoryMetadataIndex(), born),
    queue: mortal({ send: async ({ ownerId, jobId }) => void queued.push({ ownerId, jobId }) }, born),
    providers: withStageBuckets(memoryStorageProviderTable(), ofStage),
    settings: memorySettingsTable(),
    running: memoryRunningLimit(),
    spending: memorySpendingCounters(),
    openWatched: buckets.open,
    urlRules: { input: rules, webhook: rules, buckets: ofStage },
    contentKeys: { encrypt: async () => '' },
    newJobId: () => aJobId(++ids, clock.now()),
    randomBytes: (size) => new Uint8Array(size),
    limits: { maxUnfinishedJobs: Number.POSITIVE_INFINITY, maxRunningJobs: 1000 },
    erasures: { find: async (ownerId) => (erased ? { ownerId, requestedAt: start.toISOString() } : undefined) },
    onSendFailed: () => undefined,
    onRefused: () => undefined,
    onFailure: (_, cause) => void endedByKill(cause),
  });
  return {
    ...{ clock, buckets, table, made, hashOfJob, jobs, ...backfills },
    /** Takes a step of a backfill; undefined if it was killed. */
    async step(step: BatchStep): Promise<StepResult | undefined> {
      const born = epoch;
      const run = stepWith(depsOf(born), (port) => mortal(port, born), endedByKill);
      const result = run(step, new Date(clock.now().getTime() + 45_000));
      return result.catch((error: unknown) => void endedByKill(error));
    },
    /** Ends the jobs whose messages were sent. */
    async work(): Promise<void> {
      for (const ref of queued.splice(0)) {
        const job = await jobs.get(ref);
        if (job?.state !== 'queued') continue;
        const now = clock.now();
        const claimed = claim(job, `lease-${ref.jobId}`, now);
        await jobs.write(claimed);
        const ending = { now, webhookTarget: null, deliveryId: 'none' };
        await jobs.write(complete(claimed.job, { files: {}, filesExpireAt: now.toISOString() }, ending));
      }
    },
    /** Kills everything that runs, at one of the next calls. */
    killSoon: () => {
      kills += 1;
    },
    kills: () => epoch,
    /** Begins or ends the erasure of the owner. */
    erase: (isErased: boolean) => {
      erased = isErased;
    },
    /** Takes an event of S3. False if its invocation was killed. */
    async take({ key, etag, versionId, sizeBytes: size }: WatchedObject, bucket: string): Promise<boolean> {
      const event = { detail: { bucket: { name: bucket }, object: { key, size, etag, 'version-id': versionId } } };
      return takeEvent(depsOf(epoch))(event).then(() => true, endedByKill);
    },
    /** Sweeps the watches, with other settings if there are any. False if it was killed. */
    async sweep(changed: Partial<Watch> = {}): Promise<boolean> {
      const born = epoch;
      const deadline = new Date(clock.now().getTime() + 270_000);
      const ofStage = watches.map((watch) => ({ ...watch, ...changed }));
      return sweepWatches({ ...depsOf(born), ofStage })(deadline).then(() => born === epoch, endedByKill);
    },
  };
}

function endedByKill(error: unknown): false {
  if (!(error instanceof KilledError)) throw error;
  return false;
}
