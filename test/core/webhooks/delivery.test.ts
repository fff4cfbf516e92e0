import { describe, expect, it } from 'vitest';
import { nextAttempt } from '../../../core/webhooks/delivery.ts';

const endedAt = '2026-03-01T12:00:00.250Z';
const delaysMs = [0, 500, 1000];

describe('the next attempt', () => {
  it('waits 500 ms in the function before attempt 2, because Wait counts whole seconds', () => {
    expect(nextAttempt({ attempt: 1, endedAt, delaysMs })).toMatchObject({ attempt: 2, waitSeconds: 0 });
  });

  it('waits one second in Wait before attempt 3', () => {
    expect(nextAttempt({ attempt: 2, endedAt, delaysMs })).toMatchObject({ attempt: 3, waitSeconds: 1 });
  });

  it.each([
    [1, 500],
    [2, 1000],
  ])(
    'is never early: the whole delay passes after attempt %i, in whichever part of a millisecond it ended',
    (attempt, delayMs) => {
      const latestEnd = Date.parse(endedAt) + 0.999;
      const notBefore = nextAttempt({ attempt, endedAt, delaysMs })?.notBefore ?? 0;
      expect(notBefore - latestEnd).toBeGreaterThanOrEqual(delayMs);
      expect(notBefore - latestEnd).toBeLessThan(delayMs + 1);
    },
  );

  it('does not exist after attempt 3', () => expect(nextAttempt({ attempt: 3, endedAt, delaysMs })).toBeUndefined());

  it('splits its delay into whole seconds and a remainder', () => {
    const next = nextAttempt({ attempt: 1, endedAt, delaysMs: [0, 2_750] });
    expect(next).toEqual({ attempt: 2, waitSeconds: 2, notBefore: Date.parse(endedAt) + 2_751 });
  });
});
