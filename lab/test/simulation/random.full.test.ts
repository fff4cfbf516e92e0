// @module-tag nightly
// @module-tag jobs
import { expect, it } from 'vitest';
import { simulate } from '../../simulation/simulate-random.ts';

it('every invariant holds for 10,000 random jobs with random faults', async () => {
  const { breaches } = await simulate({ seed: 7, jobs: 10_000 });
  expect(breaches).toEqual([]);
});
