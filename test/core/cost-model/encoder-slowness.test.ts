import { describe, expect, it } from 'vitest';
import { commandCost } from '../../../core/cost-model/command-cost.ts';
import { costTable } from '../../../core/cost-model/cost-table.ts';
import { learnSlowness } from '../../../core/cost-model/encoder-slowness.ts';
import type { PlanCost } from '../../../core/cost-model/plan-cost.ts';

const cost: PlanCost = {
  ...{ cpuSeconds: 100, serialSeconds: 0, finalCpuSeconds: 100, codecCpuSeconds: 100 },
  ...{ outputBytes: 0, copiedBytes: 0 },
  encoders: new Set(['libx265']),
};

describe('the slowness that a job measures', () => {
  it('moves the known value by a quarter of the difference, as a factor', () => {
    const job = { cost, expectedSeconds: 50, seconds: 50 * 16 };
    expect(learnSlowness({}, job)).toEqual({ encoder: 'libx265', slowness: 2 });
    expect(learnSlowness({ libx265: 0.5 }, job)).toEqual({ encoder: 'libx265', slowness: 1 });
    expect(learnSlowness({ libx265: 1.5, libx264: 3 }, { ...job, seconds: 50 })?.slowness).toBe(1.5);
  });

  it('converges to the true value', () => {
    let known: Record<string, number> = {};
    for (let job = 0; job < 20; job += 1) {
      const estimate = { cost, expectedSeconds: 50 * (known.libx265 ?? 1), seconds: 50 * 0.61 };
      known = { ...known, libx265: learnSlowness(known, estimate)?.slowness ?? 1 };
    }
    expect(known.libx265).toBeCloseTo(0.61, 2);
  });

  it('is limited to the range from a quarter to four', () => {
    const known = { libx265: 3.9 };
    expect(learnSlowness(known, { cost, expectedSeconds: 10, seconds: 1e9 })?.slowness).toBe(4);
    expect(learnSlowness(known, { cost, expectedSeconds: 1e9, seconds: 1 })?.slowness).toBe(0.25);
  });

  it.each([
    ['is short', cost, 9.9],
    ['has two encoders', { ...cost, encoders: new Set(['libx264', 'libx265']) }, 50],
    ['has no video encoder', { ...cost, encoders: new Set<string>() }, 50],
    ['is planned from a measurement', { ...cost, finalCpuSeconds: 60 }, 50],
  ])('is undefined if the job %s', (_, of, expectedSeconds) => {
    expect(learnSlowness({}, { cost: of, expectedSeconds, seconds: 100 })).toBeUndefined();
  });
});

it('the slowness of an encoder multiplies its own commands only', () => {
  const frames = { kind: 'video', width: 1920, height: 1080, framesPerSecond: 25, seconds: 60 } as const;
  const flow = { ...frames, isTenBit: false, density: 0.1 };
  const known = new Map([['/in', new Map([[0, { flow, codec: 'h264', megabitsPerSecond: 5 }]])]]);
  const costOf = (encoder: string, slowness: Record<string, number>) =>
    commandCost(
      { inputs: [{ path: '/in' }], outputArguments: ['-map', '0:0', '-c:v', encoder, '-f', 'mp4', '/out'] },
      known as never,
      { ...costTable, slowness },
    ).cpuSeconds;
  expect(costOf('libx265', { libx265: 0.5 })).toBeCloseTo(costOf('libx265', {}) / 2);
  expect(costOf('libx264', { libx265: 0.5 })).toBe(costOf('libx264', {}));
});
