import { seededRandom } from '@media-jobs/testing/random';
import { expect, it } from 'vitest';
import { aJobId, start } from '../../../test/builders/jobs/jobs.ts';
import { runBackfill } from '../../simulation/watches/run-backfill.ts';
import { aWatchWorld } from '../../simulation/watches/watch-world.ts';

const objects = 100_000;
const kills = 10;

it(`a backfill of ${objects} objects, killed ${kills} times, beside events and sweeps: each version has one job`, async () => {
  const random = seededRandom(78);
  const world = await aWatchWorld(start, random);
  const { buckets, clock, made, hashOfJob, sweep, take } = world;
  const bucket = 'plain-media';
  const versions = Array.from({ length: objects }, (_, index) =>
    buckets.put(bucket, `raw/${index}.mp4`, random.between(1_000, 1_000_000), clock.now()),
  );
  await clock.sleep(60 * 60_000);
  await sweep();
  const fresh = (index: number) => buckets.put(bucket, `raw/new-${index}.mp4`, 1_000, clock.now());
  const batch = await runBackfill(world, {
    batchId: aJobId(0, start),
    async meanwhile(step) {
      if (step % 8 === 3 && world.kills() < kills) world.killSoon();
      // Events that come late, of objects that the backfill makes jobs of, and new objects.
      const any = versions.slice(random.between(0, objects - 3)).slice(0, 2);
      for (const late of [fresh(step), ...any]) await take(late, bucket);
      if (step % 20 === 10) await sweep();
    },
  });
  expect(world.kills()).toBe(kills);
  while (!(await sweep())) await clock.sleep(60_000);
  expect(batch).toMatchObject({ state: 'completed', failed: 0, unfinished: [] });
  expect(batch.completed).toBe(batch.submitted);
  const hashes = new Set(made.map(({ jobId }) => hashOfJob.get(jobId)));
  expect(hashes.size).toBe(made.length);
  expect(made.length).toBe(buckets.all.length);
}, 400_000);
