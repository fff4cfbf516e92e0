import { spread } from '@media-jobs/video/cost-model';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { heldOutPairs } from './harness/model/held-out.ts';
import { measureEstimates, missOf } from './harness/model/measure-estimates.ts';

/** An error of 10 %, and of 20 % for nine pairs of ten, whether the estimate is too high or too low. */
const goals = { median: 1.1, nineOfTen: 1.2 };

/** How far estimates are from what recipes take, on sources that the calibration did not have. */
export const estimate: Benchmark = {
  name: 'estimate',
  question: `By which factor does an estimate miss, over ${heldOutPairs.length} pairs of source and recipe that the calibration did not have? And does the p90 hold for nine of ten?`,
  baseline:
    'the processor time that ffmpeg takes with the same arguments; too much counts as much as too little. The speed of the machine is measured before and after the pairs, with the videos of the calibration, and its changes by one encode between all others',
  run: async (print, options) => {
    const ratios = await measureEstimates(print, options);
    const factors = ratios.map(missOf);
    const overHighEstimates = ratios.map((ratio) => 1 / (ratio * spread));
    return [
      figure('estimate', factors, goals.median),
      figure('estimate/nine of ten', [quantile(factors, 0.9)], goals.nineOfTen),
      figure('estimate/time over its p90, nine of ten', [quantile(overHighEstimates, 0.9)], 1),
    ];
  },
};
