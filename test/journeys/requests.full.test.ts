// @module-tag nightly
// @module-tag requests
import { expect, it } from 'vitest';
import { quantile } from '../../lab/bench/harness/figures/figure.ts';
import { memoryOverRequests } from '../../lab/bench/harness/process/memory-over-requests.ts';
import { hostedStage } from '../../lab/bench/harness/stage/hosted-stage.ts';

it('a sandbox grows by at most a tenth over thousands of requests', async () => {
  await using stage = await hostedStage();
  const amounts = { requests: 12_000, warmUps: 4_000, watched: 2_000 };
  const { warm, last } = await memoryOverRequests(stage, amounts);
  expect(last).toHaveLength(40);
  expect(quantile(last, 0.5) / quantile(warm, 0.5)).toBeLessThanOrEqual(1.1);
}, 900_000);
