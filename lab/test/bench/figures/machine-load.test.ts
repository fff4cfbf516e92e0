import { describe, expect, it } from 'vitest';
import { busyShare, isIdle } from '../../../bench/harness/figures/machine-load.ts';

describe('the busy share of the processors', () => {
  const before = { idle: 1_000, total: 4_000 };

  it.each([
    [{ idle: 2_000, total: 5_000 }, 0],
    [{ idle: 1_900, total: 5_000 }, 0.1],
    [{ idle: 1_000, total: 5_000 }, 1],
    // No time has passed.
    [before, 0],
  ])('is what was not idle between two readings', (after, share) => {
    expect(busyShare(before, after)).toBeCloseTo(share);
  });

  it('leaves the machine idle up to a tenth', () => expect([0, 0.1, 0.11].map(isIdle)).toEqual([true, true, false]));
});
