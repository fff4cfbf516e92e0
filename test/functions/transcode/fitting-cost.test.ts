import { expect, it } from 'vitest';
import { failureOutcome } from '../../../core/jobs/outcome.ts';
import { estimateJob } from '../../../core/pricing/estimate.ts';
import { readSteps } from '../../../core/recipes/pipeline/steps.ts';
import { requireFittingCost } from '../../../functions/transcode/require-fitting-cost.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';
import { somePricedWorkers } from '../../builders/pricing/priced-workers.ts';

const durationSeconds = 600;
const probe = aProbe(
  [aVideoStream({ durationSeconds, width: 1920, height: 1080 }), anAudioStream({ durationSeconds })],
  { durationSeconds, sizeBytes: 200e6 },
);
const fetched = { inputs: [{ path: '/tmp/a/input', probe }], assets: [{}] };
const steps = readSteps(aProcessingJob().request);

function check(maxCostUsd: number | undefined): unknown {
  const job = aProcessingJob();
  const limited = { ...job, request: { ...job.request, ...(maxCostUsd && { maxCostUsd }) } };
  try {
    requireFittingCost({ pricedWorkers: somePricedWorkers() }, { job: limited }, { steps, fetched });
    return undefined;
  } catch (cause) {
    return cause;
  }
}

it('an estimate above the limit of the job rejects it, with both figures', () => {
  const error = check(0.001);
  expect(error).toMatchObject({ code: 'COST_LIMIT', retryable: false });
  const [usual, high, limit] = String(error).match(/\$([\d.]+\d)/g) ?? [];
  expect(limit).toBe('$0.001');
  expect(Number(high?.slice(1))).toBeGreaterThan(Number(usual?.slice(1)));
  expect(failureOutcome(error, 'probing').state).toBe('rejected');
  expect(failureOutcome(error, 'transcoding').state).toBe('failed');
});

it('the p90 of the estimate decides', () => {
  const [, high = ''] = String(check(0.001)).match(/up to \$([\d.]+\d)/) ?? [];
  expect(check(Number(high) * 0.99)).toBeDefined();
  expect(check(Number(high) * 1.01)).toBeUndefined();
});

it('a job without a limit is not estimated', () => {
  expect(check(undefined)).toBeUndefined();
});

it('a job that takes too long for a function is estimated as a Fargate task', () => {
  const fargate = { vcpus: 4, memoryMb: 8192, storageGb: 100, hasPublicAddress: true };
  // Only a time range is kept: such a job is not split.
  const clip = readSteps({ ...aProcessingJob().request, recipe: { name: 'clip', start: 1, end: 599 } });
  const estimate = (given: object) =>
    estimateJob({ ...fetched, steps: clip, speed: 'standard' }, somePricedWorkers({ slowness: 5, ...given }));
  expect(estimate({}).breakdown.fargate).toBe(0);
  const onFargate = estimate({ fargate });
  expect(onFargate.breakdown.fargate).toBeGreaterThan(onFargate.breakdown.transcoding);
  expect(onFargate.seconds.p50).toBeLessThan(estimate({}).seconds.p50);
  expect(estimate({ fargate, slowness: 0.1 }).breakdown.fargate).toBe(0);
});
