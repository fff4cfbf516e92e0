import { describe, expect, it } from 'vitest';
import { costTable } from '../../src/cost-model/cost-table.ts';
import { commandCost, type PlanCost } from '../../src/cost-model/plan-cost.ts';
import { learnSlowness, type MeasuredSlowness, slownessFor } from '../../src/cost-model/processors.ts';

const cost: PlanCost = {
  cpuSeconds: 100,
  serialSeconds: 0,
  finalCpuSeconds: 100,
  codecCpuSeconds: 100,
  outputBytes: 0,
  copiedBytes: 0,
  encoders: new Set(['libx265']),
};

/** What is known after jobs whose owners' encoders take so many times as long as calibrated. */
function measuredBy(jobs: readonly { ownerId: string; slowness: number }[], before: MeasuredSlowness = {}) {
  const measured: Record<string, number> = { ...before };
  for (const { ownerId, slowness } of jobs) {
    const known = slownessFor(measured, ownerId);
    const estimate = { known, cost, expectedSeconds: 50 * (known.libx265 ?? 1), seconds: 50 * slowness };
    const learned = learnSlowness(measured, ownerId, estimate);
    if (learned !== undefined) measured[learned.name] = learned.slowness;
  }
  return measured;
}

const jobsOf = (ownerId: string, slowness: number, count = 20) => Array(count).fill({ ownerId, slowness });

describe('the slowness that a job measures', () => {
  it('moves what its owner knows by a quarter of the difference, as a factor', () => {
    const job = { cost, expectedSeconds: 50, seconds: 50 * 16 };
    const learned = learnSlowness({}, 'owner-1', { ...job, known: {} });
    expect(learned).toEqual({ name: expect.stringMatching(/^libx265#\d+$/), slowness: 2 });
    const known = { libx265: 0.5, libx264: 1.5 };
    expect(learnSlowness({}, 'owner-1', { ...job, known })?.slowness).toBeCloseTo(1);
    expect(learnSlowness({}, 'owner-1', { ...job, known, seconds: 50 })?.slowness).toBeCloseTo(0.5);
  });

  it('moves it less after a job of less than ten seconds', () => {
    const job = { cost, known: {}, expectedSeconds: 5, seconds: 5 * 16 };
    expect(learnSlowness({}, 'owner-1', job)?.slowness).toBeCloseTo(2 ** (4 / 8));
  });

  it('converges to the true value, on a stage with one owner too', () => {
    expect(slownessFor(measuredBy(jobsOf('owner-1', 0.61)), 'owner-1').libx265).toBeCloseTo(0.61, 2);
  });

  it('is limited to the range from a third to two', () => {
    expect(slownessFor(measuredBy(jobsOf('owner-1', 1e6)), 'owner-1').libx265).toBe(2);
    expect(slownessFor(measuredBy(jobsOf('owner-1', 1e-6)), 'owner-1').libx265).toBe(1 / 3);
    expect(slownessFor({ libx265: 3.9 }, 'owner-1').libx265).toBe(2);
  });

  it.each([
    ['is short', cost, 1.9],
    ['has two encoders', { ...cost, encoders: new Set(['libx264', 'libx265']) }, 50],
    ['has no video encoder', { ...cost, encoders: new Set<string>() }, 50],
    ['is planned from a measurement', { ...cost, finalCpuSeconds: 60 }, 50],
  ])('is undefined if the job %s', (_, of, expectedSeconds) => {
    const job = { known: {}, cost: of, expectedSeconds, seconds: 100 };
    expect(learnSlowness({}, 'owner-1', job)).toBeUndefined();
  });
});

describe('an owner whose sources lie about their frames', () => {
  const lies = jobsOf('attacker', 4);

  it.each([
    ['no other owner', [], 1],
    ['one other owner', ['owner-1'], 0.61],
    ['two other owners', ['owner-1', 'owner-2'], 0.61],
    ['nine other owners', [...Array(9).keys()].map((n) => `owner-${n}`), 0.61],
  ])('changes nothing for others, where %s has measured', (_, owners, expected) => {
    const honest = owners.flatMap((ownerId) => jobsOf(ownerId, 0.61));
    for (const jobs of [
      [...lies, ...honest],
      [...honest, ...lies],
    ]) {
      const { libx265 = 1 } = slownessFor(measuredBy(jobs), 'owner-1');
      expect(libx265).toBeCloseTo(expected, 1);
    }
  });
});

it('owners who have measured nothing have the value of the others, once three have measured', () => {
  const two = measuredBy(['owner-1', 'owner-2'].flatMap((ownerId) => jobsOf(ownerId, 0.61)));
  expect(slownessFor(two, 'new').libx265).toBe(1);
  expect(slownessFor(measuredBy(jobsOf('owner-3', 0.61), two), 'new').libx265).toBeCloseTo(0.61, 1);
});

it('the value of all jobs that an older version stored counts until the owner or three others have measured', () => {
  const older = { libx265: 0.7 };
  expect(slownessFor(older, 'owner-1')).toEqual({ libx265: 0.7 });
  expect(slownessFor(measuredBy(jobsOf('owner-2', 1.5), older), 'owner-1').libx265).toBe(0.7);
  expect(slownessFor(measuredBy(jobsOf('owner-1', 0.61), older), 'owner-1').libx265).toBeCloseTo(0.61, 2);
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
  expect(costOf('libx264', { libx265: 0.9, other: 0.5 })).toBeCloseTo(costOf('libx264', {}) / 2);
});

it('an encoder that no job has measured is as slow as the machine, from which its first job learns', () => {
  expect(slownessFor({ other: 0.6 }, 'owner-1')).toEqual({ other: 0.6 });
  const known = slownessFor(measuredBy(jobsOf('owner-2', 1.5), { other: 0.6 }), 'owner-1');
  expect(known).toEqual({ libx265: 0.6, other: 0.6 });
  const job = { known: { other: 0.6 }, cost, expectedSeconds: 50, seconds: 50 };
  expect(learnSlowness({ other: 0.6 }, 'owner-1', job)?.slowness).toBeCloseTo(0.6);
});
