import { describe, expect, it } from 'vitest';
import { divideCapacity, isReserved } from '../../../lib/settings/capacity.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

describe('the capacity of a stage', () => {
  it.each([
    [10, { workers: 2, chunks: 3, joins: 2, firstAttempts: 2, others: 1 }],
    [100, { workers: 30, chunks: 47, joins: 3, firstAttempts: 10, others: 10 }],
    [1_000, { workers: 310, chunks: 466, joins: 24, firstAttempts: 100, others: 100 }],
  ])('of %i executions is divided without rest', (capacity, shares) => {
    expect(divideCapacity({ capacity })).toEqual(shares);
  });

  it('of any size is never exceeded, leaves an execution to the API, and runs a join for each 20 chunks', () => {
    for (let capacity = 10; capacity <= 100_000; capacity += capacity < 3_000 ? 1 : 997) {
      const shares = divideCapacity({ capacity });
      const sum = Object.values(shares).reduce((total, share) => total + share, 0);
      expect(sum).toBeLessThanOrEqual(capacity);
      for (const share of [shares.workers, shares.chunks, shares.joins, shares.firstAttempts]) {
        // What a mapping allows at least.
        expect(share).toBeGreaterThanOrEqual(2);
      }
      expect(shares.others).toBeGreaterThanOrEqual(1);
      expect(shares.joins * 20).toBeGreaterThanOrEqual(Math.min(shares.chunks, 19_000));
    }
  });

  it('is reserved from 1,000 executions on: Lambda keeps 100 for other functions, and first attempts may hang', () => {
    expect([999, 1_000, 5_000].map((capacity) => isReserved({ capacity }))).toEqual([false, true, true]);
    expect(isReserved({ capacity: 1_000, webhooks: { firstAttempts: 101 } })).toBe(false);
  });

  it('can be exceeded by the first attempts that a stage sets', () => {
    const settings = readSettings({ dev: { webhooks: { firstAttempts: 40 } } }, 'dev');
    expect(divideCapacity(settings)).toMatchObject({ workers: 2, chunks: 3, firstAttempts: 40 });
  });
});
