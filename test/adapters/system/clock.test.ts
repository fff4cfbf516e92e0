import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clockWithTimer } from '../../../adapters/system/clock.ts';

const timer = vi.fn();
const clock = clockWithTimer(timer);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
});

afterEach(() => {
  vi.useRealTimers();
  timer.mockReset();
});

/** A timer that fires after the given share of its delay. */
function aTimerThatPasses(...milliseconds: number[]): void {
  for (const passed of milliseconds) {
    timer.mockImplementationOnce(async () => {
      vi.setSystemTime(Date.now() + passed);
    });
  }
}

describe('a sleep', () => {
  it('continues if a timer fires early', async () => {
    aTimerThatPasses(499, 1);
    await clock.sleep(500);
    expect(Date.now()).toBe(500);
    expect(timer.mock.calls.map(([delayMs]) => delayMs)).toEqual([500, 1]);
  });

  it('ends if a timer fires late', async () => {
    aTimerThatPasses(507);
    await clock.sleep(500);
    expect(timer).toHaveBeenCalledOnce();
  });

  it.each([0, -20])('of %i ms returns immediately', async (milliseconds) => {
    await clock.sleep(milliseconds);
    expect(timer).not.toHaveBeenCalled();
  });

  it('ends immediately when its signal aborts', async () => {
    const abort = new AbortController();
    timer.mockImplementationOnce(async () => {
      abort.abort();
      throw abort.signal.reason;
    });
    await clock.sleep(60_000, abort.signal);
    expect(timer).toHaveBeenCalledOnce();
  });
});
