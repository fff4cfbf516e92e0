import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestTrial,
  type CrfSearch,
  type CrfTrial,
  maxTrials,
  nextCrf,
} from '../../../src/encoding/video/target-vmaf.ts';

/** Runs the search on a video that scores `scoreOf(crf)`. */
function search(scoreOf: (crf: number) => number, settings: CrfSearch): CrfTrial[] {
  const tried: CrfTrial[] = [];
  for (let crf = nextCrf(tried, settings); crf !== undefined; crf = nextCrf(tried, settings)) {
    tried.push({ crf, score: scoreOf(crf) });
  }
  return tried;
}

const settings: CrfSearch = { target: 93, initialCrf: 28, crfRange: [10, 45] };
/** Roughly how x264 scores. */
const typicalScore = (crf: number) => 99.5 - 0.02 * crf ** 1.8;

describe('the search for a crf', () => {
  it('ends at the smallest file that scores the target', () => {
    const tried = search(typicalScore, settings);
    const { crf, score } = bestTrial(tried, settings.target);
    expect(score).toBeGreaterThanOrEqual(93);
    expect(typicalScore(crf + 1)).toBeLessThan(93);
    expect(tried.length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['highest crf if it scores', 99, 45],
    ['lowest crf if it misses', 60, 10],
  ])('ends at the %s the target', (_, score, crf) => {
    const tried = search(() => score, settings);
    expect(bestTrial(tried, 93)).toEqual({ crf, score });
  });

  it('starts within the range of the encoder', () => expect(nextCrf([], { ...settings, initialCrf: 63 })).toBe(45));

  it('tries no crf twice, stops in time, and keeps to a reached target', () => {
    const scores = fc.record({
      top: fc.double({ min: 60, max: 100, noNaN: true }),
      fall: fc.double({ min: 0.05, max: 4, noNaN: true }),
      bend: fc.double({ min: 0.5, max: 2, noNaN: true }),
    });
    fc.assert(
      fc.property(scores, fc.integer({ min: 30, max: 99 }), ({ top, fall, bend }, target) => {
        const tried = search((crf) => top - fall * crf ** bend, { ...settings, target });
        expect(new Set(tried.map(({ crf }) => crf)).size).toBe(tried.length);
        expect(tried.length).toBeLessThanOrEqual(maxTrials);
        const { score } = bestTrial(tried, target);
        if (tried.some((each) => each.score >= target)) expect(score).toBeGreaterThanOrEqual(target);
      }),
    );
  });
});
