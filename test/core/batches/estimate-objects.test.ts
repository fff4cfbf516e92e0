import { seededRandom } from '@media-jobs/testing/random';
import { expect, it } from 'vitest';
import { type ExpectedJob, estimateObjects, sampleOf } from '../../../core/batches/estimate-objects.ts';
import { objectHash } from '../../../core/watches/watch.ts';

const stage = { workers: 10, minuteUsd: 0.01 };

/** A listing of objects of these sizes, and the jobs of its sample: dollars for each byte, give or take. */
function aListing(sizes: readonly number[], usdOf: (sizeBytes: number) => number | undefined) {
  const sample = sampleOf();
  for (const [index, sizeBytes] of sizes.entries()) {
    const object = { key: `${index}.mp4`, etag: `e${index}`, sizeBytes, storedAt: new Date(0), isLatest: true };
    sample.add(object, objectHash(object));
  }
  const listing = sample.listing();
  const jobs = listing.classes.flatMap((each) =>
    each.sample.flatMap(({ hash, object }): [string, ExpectedJob][] => {
      const usd = usdOf(object.sizeBytes);
      if (usd === undefined) return [];
      return [[hash, { mediaSeconds: 60, seconds: { p50: 20, p90: 30 }, usd: { p50: usd, p90: 1.35 * usd } }]];
    }),
  );
  return { listing, jobs: new Map(jobs) };
}

it('few objects are all read: the estimate is their sum', () => {
  const { listing, jobs } = aListing([1_000, 5_000, 70_000], (bytes) => bytes / 1e6);
  expect(estimateObjects(listing, jobs, stage)).toEqual({
    ...{ objects: 3, sampled: 3, hours: expect.closeTo(3 / 60) },
    usd: { p50: expect.closeTo(0.076), p90: expect.closeTo(1.35 * 0.076) },
    seconds: { p50: expect.closeTo(6), p90: expect.closeTo(9) },
  });
});

it('of forty thousand objects of six orders of size, a few hundred headers tell the sum within a twentieth', () => {
  const random = seededRandom(5);
  const sizes = Array.from({ length: 40_000 }, () => Math.round(10 ** (3 + (6 * random.between(0, 1e6)) / 1e6)));
  const usdOf = (bytes: number) => 0.001 + (bytes / 1e9) * (0.5 + random.between(0, 1_000) / 1_000);
  const { listing, jobs } = aListing(sizes, usdOf);
  const actual = sizes.reduce((sum, bytes) => sum + usdOf(bytes), 0);
  const { usd, sampled } = estimateObjects(listing, jobs, stage);
  expect(sampled).toBeLessThanOrEqual(40 * 21);
  expect(Math.abs(usd.p50 / actual - 1)).toBeLessThan(0.05);
  expect(usd.p90).toBeGreaterThan(1.35 * usd.p50);
});

it('objects whose headers cannot be read count as the others, and without any as a minute each', () => {
  const { listing, jobs } = aListing([1_000, 1_100, 60_000], (bytes) => (bytes > 50_000 ? undefined : 0.2));
  expect(estimateObjects(listing, jobs, stage)).toMatchObject({ sampled: 2, usd: { p50: expect.closeTo(0.6) } });
  expect(estimateObjects(listing, new Map(), stage)).toMatchObject({ sampled: 0, usd: { p50: expect.closeTo(0.03) } });
});
