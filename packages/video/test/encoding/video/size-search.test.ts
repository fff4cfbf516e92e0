import { describe, expect, it } from 'vitest';
import { maxSizeRepeats, maxSizeTrials, nextKbps, type SizeTrial } from '../../../src/encoding/video/target-size.ts';

const search = {
  targetBytes: 1_000_000,
  minShare: 0.98,
  initialKbps: 800,
  maxKbps: Number.POSITIVE_INFINITY,
  fixedBytes: 100_000,
};

/** Searches with an encoder of these sizes; returns all trials. */
function searchWith(sizeOf: (kbps: number) => number, maxKbps = search.maxKbps): SizeTrial[] {
  const trials: SizeTrial[] = [];
  for (;;) {
    const kbps = nextKbps(trials, { ...search, maxKbps });
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
    const best = trials.at(-1)?.sizeBytes;
    expect(best).toBeLessThanOrEqual(1_000_000);
    expect(best).toBeGreaterThanOrEqual(980_000);
  });

  it('ends when more bits make no larger file', () => {
    const trials = searchWith((kbps) => Math.min(500_000, 1_000 * kbps));
    expect(trials.length).toBeLessThan(4);
    expect(trials.at(-1)?.sizeBytes).toBe(500_000);
  });

  it.each([
    ['writes half', (kbps: number) => 100_000 + 556 * kbps],
    ['writes a tenth', (kbps: number) => 111 * kbps],
  ])('ends at the maximum of an encoder that %s', (_name, sizeOf) => {
    const trials = searchWith(sizeOf, 1_000);
    expect(trials.map(({ kbps }) => kbps)).toEqual([800, 1_000]);
  });

  it('goes on below the maximum of an encoder that writes too much there', () => {
    const trials = searchWith((kbps) => (kbps < 1_000 ? 500 : 1_100) * kbps, 1_000);
    expect(trials[1]?.kbps).toBe(1_000);
    expect(trials[2]?.kbps).toBeLessThan(1_000);
  });

  it('ends within 2 % below the target with an encoder whose sizes vary from run to run', () => {
    const variations = [0.95, 0.9, 0.95, 0.96, 0.95];
    let runs = 0;
    const trials = searchWith((kbps) => (100_000 + 1_112 * kbps) * (variations[runs++] ?? 1));
    expect(trials.at(-1)?.sizeBytes).toBeGreaterThanOrEqual(980_000);
  });

  it('ends below the target with an encoder that writes more with each run', () => {
    let runs = 0;
    const trials = searchWith((kbps) => 100_000 + 1_112 * kbps * (1 + 0.03 * ++runs));
    expect(trials.at(-1)?.sizeBytes).toBeGreaterThan(950_000);
  });

  it('ends after its last trial with an encoder that ignores the bit rate', () => {
    const trials = searchWith(() => 2_000_000);
    expect(trials).toHaveLength(maxSizeTrials);
  });

  it('encodes the best trial again if it is not the last, at lower bit rates until the file is small enough', () => {
    const sizes = [1_200_000, 900_000, 1_100_000, 970_000, 1_050_000, 1_030_000, 1_010_000, 990_000];
    const trials = searchWith(() => sizes.shift() ?? 0);
    const [best, again, lower] = [3, 6, 7].map((trial) => trials[trial]?.kbps ?? 0);
    expect([trials.length, again]).toEqual([8, best]);
    expect(lower).toBeLessThan(again ?? 0);
    expect(trials.at(-1)?.sizeBytes).toBe(990_000);
  });

  it('ends above the target if no repeat of the best trial is small enough', () => {
    const sizes = [1_200_000, 900_000];
    const trials = searchWith(() => sizes.shift() ?? 1_020_000);
    expect(trials).toHaveLength(maxSizeTrials + maxSizeRepeats);
    expect(trials.at(-1)?.sizeBytes).toBe(1_020_000);
  });
});
