import { describe, expect, it } from 'vitest';
import { nextAttempt } from '../../../core/webhooks/delivery.ts';

const endedAt = '2026-03-01T12:00:00.250Z';
const delaysMs = [0, 500, 1000];

describe('the schedule of attempts', () => {
  it('holds the second attempt for 500 ms in the function, since Wait knows whole seconds only', () => {
    expect(nextAttempt({ attempt: 1, endedAt, delaysMs })).toMatchObject({ attempt: 2, waitSeconds: 0 });
  });

  it('lets Wait spend the second before the third', () => {
    expect(nextAttempt({ attempt: 2, endedAt, delaysMs })).toMatchObject({ attempt: 3, waitSeconds: 1 });
  });

  it.each([
    [1, 500],
    [2, 1000],
  ])(
    'leaves at least the whole delay after attempt %i, in whichever part of its millisecond it ended',
    (attempt, delayMs) => {
      const latestEnd = Date.parse(endedAt) + 0.999;
      const notBefore = nextAttempt({ attempt, endedAt, delaysMs })?.notBefore ?? 0;
      expect(notBefore - latestEnd).toBeGreaterThanOrEqual(delayMs);
      expect(notBefore - latestEnd).toBeLessThan(delayMs + 1);
    },
  );

  it('ends after the third: there is never a fourth', () => {
    expect(nextAttempt({ attempt: 3, endedAt, delaysMs })).toBeUndefined();
  });

  it('splits a delay into whole seconds and a rest below one second', () => {
    const next = nextAttempt({ attempt: 1, endedAt, delaysMs: [0, 2_750] });
    expect(next).toEqual({ attempt: 2, waitSeconds: 2, notBefore: Date.parse(endedAt) + 2_751 });
  });
});
