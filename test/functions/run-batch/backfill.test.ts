import { seededRandom } from '@media-jobs/testing/random';
import { expect, it } from 'vitest';
import { runBackfill } from '../../../lab/simulation/watches/run-backfill.ts';
import { aWatchWorld } from '../../../lab/simulation/watches/watch-world.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';

const bucket = 'plain-media';
let batches = 0;
const batchId = () => aJobId(0, new Date(start.getTime() + 1_000 * ++batches));

/** Three objects from before the watch, and one that has its job. */
async function anOldBucket() {
  const world = await aWatchWorld(start, seededRandom(1));
  const put = (name: string) => world.buckets.put(bucket, `raw/${name}.mp4`, 1_000, world.clock.now());
  for (const name of ['a', 'b', 'c']) put(name);
  world.clock.pass(60 * 60_000);
  await world.take(put('new'), bucket);
  await world.sweep();
  expect(world.made).toHaveLength(1);
  return {
    ...world,
    put,
    jobOf: async () => await world.jobs.get({ ownerId: 'stage', jobId: world.made[1]?.jobId ?? '' }),
  };
}

it('each object without a job gets one, of the batch, and a second backfill finds none', async () => {
  const world = await anOldBucket();
  const batch = await runBackfill(world, { batchId: batchId() });
  expect(batch).toMatchObject({ state: 'completed', total: 3, submitted: 3, completed: 3, failed: 0 });
  expect(world.made).toHaveLength(4);
  expect(await world.jobOf()).toMatchObject({
    batch: { id: batch.batchId },
    request: { metadata: { watch: 'plain' } },
  });
  expect(await runBackfill(world, { batchId: batchId() })).toMatchObject({ state: 'completed', total: 0 });
  await world.sweep();
  expect(world.made).toHaveLength(4);
  expect(await world.table.state('plain')).toMatchObject({ objects: 4, jobs: 4 });
});

it('an estimate makes no job and tells objects, hours, dollars and time', async () => {
  const world = await anOldBucket();
  const batch = await runBackfill(world, { batchId: batchId(), isEstimate: true });
  expect(batch).toMatchObject({ state: 'completed', total: 3, submitted: 0 });
  expect(batch.estimate).toMatchObject({ objects: 3, sampled: 3, hours: expect.closeTo(3 / 60) });
  const { usd, seconds } = batch.estimate ?? expect.fail();
  expect(usd.p50).toBeGreaterThan(0);
  expect(usd.p90).toBeGreaterThan(usd.p50);
  expect(seconds.p90).toBeGreaterThan(seconds.p50);
  expect(world.made).toHaveLength(1);
});

it('a cap counts each job as the estimate does until one has ended', async () => {
  const world = await anOldBucket();
  const { estimate } = await runBackfill(world, { batchId: batchId(), isEstimate: true });
  const maxUsd = (2.5 / 3) * (estimate?.usd.p50 ?? 0);
  const madeBy: number[] = [];
  await runBackfill(world, { batchId: batchId(), maxUsd, meanwhile: async () => void madeBy.push(world.made.length) });
  // The first step stores the listing.
  expect(madeBy[1]).toBe(1 + 2);
});

it('again makes a further job of the named objects, and says which it cannot', async () => {
  const world = await anOldBucket();
  await runBackfill(world, { batchId: batchId() });
  const made = world.made.length;
  const again = ['raw/a.mp4', 'raw/gone.mp4', 'other/a.mp4', 'raw/running.mp4'];
  const running = world.put('running');
  const meanwhile = async (step: number) => void (step === 0 && (await world.take(running, bucket)));
  const batch = await runBackfill(world, { batchId: batchId(), again, meanwhile });
  expect(batch).toMatchObject({ state: 'completed', total: 4, submitted: 1, completed: 1, failed: 3 });
  expect(world.failures.map(({ id, code }) => [id, code])).toEqual([
    ['raw/gone.mp4', 'INPUT_UNREACHABLE'],
    ['other/a.mp4', 'INPUT_UNREACHABLE'],
    ['raw/running.mp4', 'JOB_NOT_TERMINAL'],
  ]);
  expect(world.made).toHaveLength(made + 2);
});

it('a key that no input can have is a failure of the report', async () => {
  const world = await anOldBucket();
  world.put('/double');
  const batch = await runBackfill(world, { batchId: batchId() });
  expect(batch).toMatchObject({ total: 4, submitted: 3, failed: 1 });
  expect(world.failures).toMatchObject([{ id: 'raw//double.mp4', jobId: null, code: 'VALIDATION_ERROR' }]);
});
