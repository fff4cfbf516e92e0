// @module-tag jobs
import { expect, it } from 'vitest';
import { simulateWatches } from '../../simulation/watches/simulate-watches.ts';

it('each version becomes one job within five minutes, of 1,000 objects', async () => {
  const { breaches, jobs, kills } = await simulateWatches({ objects: 1_000, seed: 2 });
  expect({ breaches, kills }).toEqual({ breaches: [], kills: 2 });
  expect(jobs).toBeGreaterThan(900);
});
