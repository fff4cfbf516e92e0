import { seededRandom } from '@media-jobs/testing/random';
import { expect, it } from 'vitest';
import { aWatchWorld } from '../../../lab/simulation/watches/watch-world.ts';
import { start } from '../../builders/jobs/jobs.ts';

const bucket = 'plain-media';
const minute = 60_000;

async function aWorld() {
  const world = await aWatchWorld(start, seededRandom(1));
  const put = (key: string) => world.buckets.put(bucket, key, 100, world.clock.now());
  const watch = async () =>
    (({ isPaused: _, source: __, since: ___, ...state }) => state)(await world.table.state('plain'));
  return { ...world, put, watch, madeJobs: () => world.made.length };
}

it('objects from before the watch are left to a backfill, and shown', async () => {
  const { put, sweep, clock, watch, madeJobs } = await aWorld();
  put('raw/old.mp4');
  clock.pass(20 * minute);
  await sweep();
  put('raw/new.mp4');
  await sweep();
  expect(madeJobs()).toBe(1);
  expect(await watch()).toMatchObject({ objects: 2, jobs: 1, lagSeconds: 0, lastSweepAt: clock.now().toISOString() });
});

it('a paused watch makes no jobs, and makes those of what came meanwhile once it is resumed', async () => {
  const { put, take, sweep, clock, watch, table, madeJobs } = await aWorld();
  await table.setPaused('plain', true);
  await take(put('raw/a.mp4'), bucket);
  clock.pass(7 * minute);
  await sweep();
  expect(madeJobs()).toBe(0);
  expect(await watch()).toMatchObject({ objects: 1, jobs: 0, lagSeconds: 7 * 60 });
  await table.setPaused('plain', false);
  await sweep();
  expect(madeJobs()).toBe(1);
  expect(await watch()).toMatchObject({ objects: 1, jobs: 1, lagSeconds: 0 });
});

it('while all data of its owner is erased a watch makes no jobs, which would never let the erasure end', async () => {
  const { put, take, sweep, erase, watch, madeJobs } = await aWorld();
  erase(true);
  await take(put('raw/a.mp4'), bucket);
  put('raw/b.mp4');
  await sweep();
  expect(madeJobs()).toBe(0);
  erase(false);
  await sweep();
  expect(madeJobs()).toBe(2);
  expect(await watch()).toMatchObject({ objects: 2, jobs: 2, lagSeconds: 0 });
});

it('a key that no input can have is refused once, and is no lag', async () => {
  const { put, sweep, watch, clock, madeJobs } = await aWorld();
  put('raw//a.mp4');
  clock.pass(minute);
  await sweep();
  await sweep();
  expect(madeJobs()).toBe(0);
  expect(await watch()).toMatchObject({ objects: 1, jobs: 0, lagSeconds: 0 });
});

it('a repeated event makes no other job, also once the object and its record are gone', async () => {
  const { put, take, sweep, buckets, clock, madeJobs } = await aWorld();
  const object = put('raw/a.mp4');
  await take(object, bucket);
  await take(object, bucket);
  expect(madeJobs()).toBe(1);
  buckets.remove(bucket, 'raw/a.mp4', clock.now());
  await sweep();
  // Late, of an object that is gone.
  await take(object, bucket);
  expect(madeJobs()).toBe(1);
});

it('a watch of many objects is swept each hour', async () => {
  const { sweep, table, clock, watch } = await aWorld();
  await table.recordSweep('plain', { objects: 100_001 });
  await sweep();
  const first = (await watch()).lastSweepAt;
  await table.recordSweep('plain', {
    objects: 100_001,
    nextSweepAt: new Date(clock.now().getTime() + 60 * minute).toISOString(),
  });
  clock.pass(59 * minute);
  await sweep();
  expect((await watch()).lastSweepAt).toBe(first);
  clock.pass(minute);
  await sweep();
  expect((await watch()).lastSweepAt).toBe(clock.now().toISOString());
});

it('an object whose key the watch leaves out for a while gets no second job', async () => {
  const { put, sweep, madeJobs } = await aWorld();
  put('raw/a.mp4');
  await sweep();
  await sweep({ suffixes: ['.mov'] });
  await sweep();
  expect(madeJobs()).toBe(1);
});
