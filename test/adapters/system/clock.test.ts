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
    await systemClock.sleep(500);
    expect(Date.now()).toBe(500);
    expect(timer.mock.calls.map(([asked]) => asked)).toEqual([500, 1]);
  });

  it('ends if a timer fires late', async () => {
    aTimerThatPasses(507);
    await systemClock.sleep(500);
    expect(timer).toHaveBeenCalledOnce();
  });

  it.each([0, -20])('of %i ms returns immediately', async (milliseconds) => {
    await systemClock.sleep(milliseconds);
    expect(timer).not.toHaveBeenCalled();
  });

  it('ends immediately when its signal aborts', async () => {
    const abort = new AbortController();
    timer.mockImplementationOnce(async () => {
      abort.abort();
      throw abort.signal.reason;
    });
    await systemClock.sleep(60_000, abort.signal);
    expect(timer).toHaveBeenCalledOnce();
  });
});
