// @module-tag jobs
import { beforeAll, expect, it } from 'vitest';
import { figuresOf, traceOf } from '../../simulation/figures.ts';
import { simulate } from '../../simulation/simulate-random.ts';

const chosen = { seed: 7, jobs: 500 };
let simulation: Awaited<ReturnType<typeof simulate>>;

beforeAll(async () => {
  simulation = await simulate(chosen);
});

it('every invariant holds for 500 random jobs with random faults', () => {
  expect(simulation.breaches).toEqual([]);
  expect(figuresOf(chosen, simulation)).toMatchObject({
    lost: 0,
    duplicateTerminalWrites: 0,
    illegalTransitions: 0,
    orphanedObjects: 0,
    postsOverThree: 0,
  });
});

it('the random simulation meets faults of every kind, in every app', () => {
  const met = simulation.world.entries.flatMap((entry) => (entry.kind === 'fault' ? [entry] : []));
  expect([...new Set(met.map(({ fault }) => fault))].sort()).toEqual(
    [
      ...['crash-after', 'crash-before', 'duplicate', 'fail', 'killed', 'late', 'lost-answer', 'pause', 'slow'],
      'timed-out',
    ].sort(),
  );
  expect(new Set(met.map(({ app }) => app)).size).toBeGreaterThanOrEqual(8);
});

it('a seed determines the trace of a simulation', async () => {
  const trace = async (seed: number) => traceOf((await simulate({ seed, jobs: 50 })).world.entries);
  const first = await trace(11);
  expect(await trace(11)).toBe(first);
  expect(await trace(12)).not.toBe(first);
});
