import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { memoryOverRequests } from './harness/process/memory-over-requests.ts';
import { hostedStage } from './harness/stage/hosted-stage.ts';

const amounts = {
  whole: { requests: 20_000, warmUps: 5_000, watched: 5_000 },
  quick: { requests: 8_000, warmUps: 2_000, watched: 2_000 },
};
const goal = 1.1;

/** Whether a long-lived function leaks memory with each request. */
export const requests: Benchmark = {
  name: 'requests',
  question: `How large is the process of create-job in the last ${amounts.whole.watched} of ${amounts.whole.requests} requests?`,
  baseline: `its resident size in ${amounts.whole.watched} requests after the first ${amounts.whole.warmUps}; medians`,
  run: async (print, { extent }) => {
    await using stage = await hostedStage();
    const { warm, last } = await memoryOverRequests(stage, amounts[extent], (made, bytes) =>
      print(`  ${made} requests: ${(bytes / 1e6).toFixed(1)} MB`),
    );
    const baseline = quantile(warm, 0.5);
    return [
      figure(
        'requests',
        last.map((bytes) => bytes / baseline),
        goal,
      ),
    ];
  },
};
