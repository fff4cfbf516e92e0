import { type Random, seededRandom } from '@media-jobs/testing/random';
import { isWatched, objectHash, type WatchedObject } from '../../../core/watches/watch.ts';
import { aWatchWorld, watches } from './watch-world.ts';
import type { Version } from './watched-buckets.ts';

const second = 1_000;
const minute = 60 * second;
/** The interval of the schedule, and the promise. */
const sweepMs = 5 * minute;
/** The visibility time-out of the queue. */
const redeliveryMs = 5 * minute;

export type WatchFigures = {
  objects: number;
  eligible: number;
  jobs: number;
  lostEvents: number;
  doubledEvents: number;
  kills: number;
  sweeps: number;
  longestGapSeconds: number;
  breaches: string[];
};

type World = Awaited<ReturnType<typeof aWatchWorld>>;
type Run = () => Promise<void>;

/**
 * Stores objects within an hour of virtual time, whose events are doubled, lost, late and in any order, while the stage is
 * killed twice; then checks that each version has exactly one job, and when.
 */
export async function simulateWatches({ objects, seed }: { objects: number; seed: number }): Promise<WatchFigures> {
  const random = seededRandom(seed);
  const world = await aWatchWorld(new Date('2026-11-29T00:00:00.000Z'), random);
  const { clock, buckets } = world;
  const counts = { lostEvents: 0, doubledEvents: 0, sweeps: 0 };
  const killedAt: Date[] = [];
  const tasks = agenda(clock);
  const deliver = (object: WatchedObject, bucket: string) => async () => {
    if (!(await world.take(object, bucket))) tasks.add(redeliveryMs, deliver(object, bucket));
  };
  const put = (key: string, sizeBytes: number) => async () => {
    const bucket = random.pick(['plain-media', 'versioned-media']);
    const object = buckets.put(bucket, key, sizeBytes, clock.now());
    if (random.chance(0.05)) counts.lostEvents += 1;
    else tasks.add(random.between(0, 60) * second, deliver(object, bucket));
    if (random.chance(0.2)) {
      counts.doubledEvents += 1;
      tasks.add(random.between(0, 20 * 60) * second, deliver(object, bucket));
    }
    const remove = async () => buckets.remove(bucket, key, clock.now());
    if (random.chance(0.02)) tasks.add(random.between(1, 30 * 60) * second, remove);
  };
  const sweep = async () => {
    counts.sweeps += 1;
    // Lambda repeats an invocation that died after a minute.
    if (!(await world.sweep())) tasks.add(minute, sweep);
  };
  for (let index = 0; index < objects; index += 1) {
    tasks.add(random.between(0, 60 * 60) * second, put(keyOf(random, objects), random.chance(0.02) ? 0 : 100));
  }
  for (let at = 0; at <= 100 * minute; at += sweepMs) tasks.add(at, sweep);
  for (const at of [20 * minute, 40 * minute]) tasks.add(at, async () => world.killSoon());
  await tasks.run(() => {
    if (world.kills() > killedAt.length) killedAt.push(clock.now());
  });
  return { objects, kills: killedAt.length, ...counts, ...judge(world, killedAt) };
}

/** Runs tasks at their times, those of one time together. */
function agenda(clock: World['clock']) {
  const due = new Map<number, Run[]>();
  return {
    add(ms: number, run: Run): void {
      const at = clock.now().getTime() + ms;
      due.set(at, [...(due.get(at) ?? []), run]);
    },
    async run(afterEach: () => void): Promise<void> {
      while (due.size > 0) {
        const at = Math.min(...due.keys());
        clock.pass(Math.max(0, at - clock.now().getTime()));
        const runs = due.get(at) ?? [];
        due.delete(at);
        await Promise.all(runs.map((run) => run()));
        afterEach();
      }
    },
  };
}

/** Of a hundred keys five are of no object of the watch, and a few repeat another one. */
function keyOf(random: Random, objects: number): string {
  const name = random.between(1, objects * 10);
  const odd = random.pick([`raw/${name}.txt`, `raw/${name}/`, `other/${name}.mp4`]);
  return random.chance(0.05) ? odd : `raw/${name}.mp4`;
}

function judge(
  { made, hashOfJob, buckets, clock }: World,
  killedAt: readonly Date[],
): Pick<WatchFigures, 'eligible' | 'jobs' | 'longestGapSeconds' | 'breaches'> {
  const jobsOf = Map.groupBy(made, ({ jobId }) => hashOfJob.get(jobId) ?? 'none');
  const breaches: string[] = jobsOf.has('none') ? ['A job has no record'] : [];
  const gapsMs = [0];
  for (const version of buckets.all) {
    const jobs = jobsOf.get(objectHash(version)) ?? [];
    const name = `${version.bucket}/${version.key} ${version.versionId ?? version.etag}`;
    if (jobs.length > 1) breaches.push(`${name} has ${jobs.length} jobs`);
    if (!isOfWatch(version)) {
      if (jobs.length > 0) breaches.push(`${name} has a job and is not of the watch`);
      continue;
    }
    const end = version.removedAt ?? clock.now();
    // The promise ends when the version is replaced or removed.
    const at = new Date(Math.min(end.getTime(), ...jobs.map((job) => job.at.getTime())));
    // A sweep that was killed is repeated: the promise is counted from there.
    const from = killedAt.findLast((killed) => killed >= version.storedAt && killed <= at) ?? version.storedAt;
    const gapMs = at.getTime() - from.getTime();
    gapsMs.push(gapMs);
    if (gapMs > sweepMs) breaches.push(`${name} had no job for ${gapMs / minute} minutes`);
  }
  const longestGapSeconds = gapsMs.reduce((longest, gap) => Math.max(longest, gap)) / second;
  return { eligible: buckets.all.filter(isOfWatch).length, jobs: made.length, longestGapSeconds, breaches };
}

function isOfWatch(version: Version): boolean {
  return watches.some(({ bucket, prefix, ...watch }) => bucket === version.bucket && isWatched(watch, prefix, version));
}
