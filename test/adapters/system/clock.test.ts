import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../adapters/system/clock.ts';

const { timer } = vi.hoisted(() => ({ timer: vi.fn() }));
vi.mock('node:timers/promises', () => ({ setTimeout: timer }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
});

afterEach(() => {
  vi.useRealTimers();
  timer.mockReset();
});

/** A timer that lets so much of the time asked for pass, and then fires. */
function aTimerThatPasses(...milliseconds: number[]): void {
  for (const passed of milliseconds) {
    timer.mockImplementationOnce(async () => {
      vi.setSystemTime(Date.now() + passed);
    });
  }
}

describe('a sleep', () => {
  it('is never short: it goes on where a timer fired early', async () => {
    aTimerThatPasses(499, 1);
    await systemClock.sleep(500);
    expect(Date.now()).toBe(500);
    expect(timer.mock.calls.map(([asked]) => asked)).toEqual([500, 1]);
  });

  it('ends with a timer that fired late', async () => {
    aTimerThatPasses(507);
    await systemClock.sleep(500);
    expect(timer).toHaveBeenCalledOnce();
  });

  it.each([0, -20])('of %i ms is none', async (milliseconds) => {
    await systemClock.sleep(milliseconds);
    expect(timer).not.toHaveBeenCalled();
  });

  it('ends at once when its signal aborts', async () => {
    const abort = new AbortController();
    timer.mockImplementationOnce(async () => {
      abort.abort();
      throw abort.signal.reason;
    });
    await systemClock.sleep(60_000, abort.signal);
    expect(timer).toHaveBeenCalledOnce();
  });
});
