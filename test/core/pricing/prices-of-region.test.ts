import { expect, it } from 'vitest';
import { costOfJob, sumOfParts } from '../../../core/pricing/cost-of-job.ts';
import { prices, pricesReadOn } from '../../../core/pricing/prices.ts';
import regional from '../../../core/pricing/region-prices.json' with { type: 'json' };
import { dollarsOf, pricesOf, regionalNames, regionPricesSchema } from '../../../core/pricing/region-prices.ts';
import { assumedPrices, pricedRegions } from '../../../lab/prices/known-regions.ts';

const aStage = {
  architecture: 'x86_64' as const,
  memoryMb: 2048,
  retentionDays: 30,
  fargate: { vcpus: 2, memoryMb: 4096, storageGb: 120, hasPublicAddress: true },
};

/** A hundred seconds of a function and an hour of a Fargate task, and a result of a gigabyte in one put. */
const use = {
  workerSeconds: 100,
  attempts: 1,
  tasks: 0,
  executions: 0,
  fargateTasks: 0,
  fargateSeconds: 3600,
  outputs: 1,
  outputBytes: 1e9,
  reads: 0,
  downloads: 0,
};

it.each([
  ['us-east-1', 0.0000166667, 0.0000000309, 2 * 0.04048 + 4 * 0.004445 + 100 * 0.000111, 0.023, 0.000005],
  ['eu-central-1', 0.0000166667, 0.0000000367, 2 * 0.04656 + 4 * 0.00511 + 100 * 0.000132, 0.0245, 0.0000054],
  ['sa-east-1', 0.0000166667, 0.0000000586, 2 * 0.0696 + 4 * 0.0076 + 100 * 0.000211, 0.0405, 0.000007],
  ['af-south-1', 0.0000221, 0.0000000404, 2 * 0.0546 + 4 * 0.006 + 100 * 0.000145, 0.0274, 0.000006],
])('a job in %s costs what its prices make', (region, gbSecond, diskSecond, fargateHour, gbMonth, put) => {
  const cost = costOfJob(use, { ...aStage, prices: pricesOf(region) });
  const invocation = dollarsOf(pricesOf(region)).lambdaRequest;
  expect(cost.transcoding).toBeCloseTo((100 * 2 + 0.1) * gbSecond + 2 * invocation, 12);
  expect(cost.disk).toBeCloseTo(100 * 9.5 * diskSecond, 12);
  expect(cost.fargate).toBeCloseTo(fargateHour + 0.005, 12);
  // 60 parts of 16 MiB, and two requests to create and complete the upload.
  expect(cost.files).toBeCloseTo(gbMonth + 62 * put, 12);
});

it('an unknown price of a region is that of us-east-1, and is named', () => {
  const assumed = [
    'fargateSpot',
    'queueRequest',
    'fifoQueueRequest',
    'transition',
    'busEvent',
    'transferOut',
    'trace',
    'imageMonth',
  ] as const;
  expect(assumedPrices('eu-central-1')).toEqual(assumed);
  const inFrankfurt = dollarsOf(pricesOf('eu-central-1'));
  for (const name of assumed) expect(inFrankfurt[name]).toBe(prices[name].dollars);
  expect(assumedPrices('ap-east-2')).toContain('apiRequest');
  expect(dollarsOf(pricesOf('ap-east-2')).apiRequest).toBe(prices.apiRequest.dollars);
});

it('a region without known prices has those of us-east-1, and is marked as assumed', () => {
  expect(pricesOf('xx-north-9')).toEqual({ region: 'us-east-1', readOn: pricesReadOn, differing: {} });
  expect(pricesOf('us-east-1')).toEqual(pricesOf('xx-north-9'));
  expect(assumedPrices('us-east-1')).toEqual([]);
});

it('each region has a price or null for each name, none of them far from us-east-1', () => {
  expect(pricedRegions).toHaveLength(36);
  for (const row of Object.values(regional.regions)) expect(row).toHaveLength(regionalNames.length);
  for (const region of pricedRegions) {
    const dollars = dollarsOf(pricesOf(region));
    for (const name of regionalNames) {
      const ratio = dollars[name] / prices[name].dollars;
      expect(ratio, `${name} in ${region}`).toBeGreaterThan(0.7);
      expect(ratio, `${name} in ${region}`).toBeLessThan(2);
    }
    expect(sumOfParts(costOfJob(use, { ...aStage, prices: pricesOf(region) }))).toBeGreaterThan(0);
  }
});

it('an environment has the prices of a region only where they differ, and reads them back', () => {
  const inFrankfurt = pricesOf('eu-central-1');
  expect(inFrankfurt.differing).not.toHaveProperty('lambdaArm');
  expect(inFrankfurt.differing.tableWrite).toBe(0.0000007625);
  expect(regionPricesSchema.parse(JSON.parse(JSON.stringify(inFrankfurt)))).toEqual(inFrankfurt);
  for (const region of pricedRegions) expect(JSON.stringify(pricesOf(region)).length).toBeLessThan(500);
});
