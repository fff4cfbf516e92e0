import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { heldOutPairs } from './harness/model/held-out.ts';
import { measureEstimates, missOf } from './harness/model/measure-estimates.ts';

const goal = 1.5;

/** How well the cost model predicts the processor time of recipes on sources that the calibration did not have. */
export const model: Benchmark = {
  name: 'model',
  question: `By which factor does the cost model miss at worst, over ${heldOutPairs.length} pairs of source and recipe that the calibration did not have?`,
  baseline:
    'the processor time that ffmpeg takes with the same arguments; too much counts as much as too little. The speed of the machine is measured before and after the pairs, with the videos of the calibration, and its changes by one encode between all others',
  run: async (print, options) => {
    const factors = (await measureEstimates(print, options)).map(missOf);
    return [
      figure('model', factors, goal),
      figure('model/nine of ten', [quantile(factors, 0.9)], goal),
      figure('model/worst', [Math.max(...factors)], goal),
    ];
  },
};
