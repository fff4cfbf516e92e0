// @module-tag nightly
// @module-tag jobs
import { expect, it } from 'vitest';
import { simulate } from '../../simulation/simulate-random.ts';

it.each([
  ['random', false],
  ['pipelines and jobs of several outputs, all', true],
])('every invariant holds for 10,000 jobs with random faults: %s', async (_, onlyGraphs) => {
  const { breaches } = await simulate({ seed: 7, jobs: 10_000, onlyGraphs });
  expect(breaches).toEqual([]);
});
