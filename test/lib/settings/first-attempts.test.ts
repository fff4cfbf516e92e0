import { expect, it } from 'vitest';
import { maxFirstAttempts, maxSlowDeliveries } from '../../../lib/settings/first-attempts.ts';

it.each([
  [10, 2, 2, 1],
  [1_000, 2, 100, 2],
  [1_000, 200, 100, 99],
  [100_000, 1_000, 1_000, 999],
])(
  'an owner with slow receivers leaves a first attempt to others: %i executions, limit %i',
  (accountConcurrency, limit, attempts, slow) => {
    expect(maxFirstAttempts({ accountConcurrency })).toBe(attempts);
    const ownerLimits = { maxSlowDeliveries: limit };
    expect(maxSlowDeliveries({ accountConcurrency, ownerLimits })).toBe(slow);
  },
);
