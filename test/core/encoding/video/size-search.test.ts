import { describe, expect, it } from 'vitest';
import {
  bestSizeTrial,
  maxSizeTrials,
  nextKbps,
  type SizeTrial,
} from '../../../../core/encoding/video/size-search.ts';

const search = { targetBytes: 1_000_000, minShare: 0.98, initialKbps: 800, fixedBytes: 100_000 };

/** Searches with an encoder of these sizes; returns all trials. */
function searchWith(sizeOf: (kbps: number) => number): SizeTrial[] {
  const trials: SizeTrial[] = [];
  for (;;) {
    const kbps = nextKbps(trials, search);
    if (kbps === undefined) return trials;
    trials.push({ kbps, sizeBytes: Math.round(sizeOf(kbps)) });
  }
}

describe('the search for a bit rate', () => {
  it.each([
    ['an exact encoder', (kbps: number) => 100_000 + 1_112 * kbps, 1],
    ['one that writes a fifth too much', (kbps: number) => 100_000 + 1_350 * kbps, 2],
    ['one that writes half', (kbps: number) => 100_000 + 556 * kbps, 2],
    ['one that saves more the less it has', (kbps: number) => 100_000 + 0.8 * kbps ** 2, 4],
  ])('ends within 2 %% below the target with %s', (_name, sizeOf, maxTrials) => {
    const trials = searchWith(sizeOf);
    expect(trials.length).toBeLessThanOrEqual(maxTrials);
    const best = bestSizeTrial(trials, search)?.sizeBytes;
    expect(best).toBeLessThanOrEqual(1_000_000);
    expect(best).toBeGreaterThanOrEqual(980_000);
  });

  it('ends when more bits make no larger file', () => {
    const trials = searchWith((kbps) => Math.min(500_000, 1_000 * kbps));
    expect(trials.length).toBeLessThan(4);
    expect(bestSizeTrial(trials, search)?.sizeBytes).toBe(500_000);
  });

  it('ends within 2 % below the target with an encoder whose sizes vary from run to run', () => {
    const variations = [0.95, 0.9, 0.95, 0.96, 0.95];
    let runs = 0;
    const trials = searchWith((kbps) => (100_000 + 1_112 * kbps) * (variations[runs++] ?? 1));
    expect(bestSizeTrial(trials, search)?.sizeBytes).toBeGreaterThanOrEqual(980_000);
  });

  it('ends below the target with an encoder that writes more with each run', () => {
    let runs = 0;
    const trials = searchWith((kbps) => 100_000 + 1_112 * kbps * (1 + 0.03 * ++runs));
    expect(bestSizeTrial(trials, search)?.sizeBytes).toBeGreaterThan(950_000);
  });

  it('ends after its last trial with an encoder that ignores the bit rate', () => {
    const trials = searchWith(() => 2_000_000);
    expect(trials).toHaveLength(maxSizeTrials);
    expect(bestSizeTrial(trials, search)).toBeUndefined();
  });
});
