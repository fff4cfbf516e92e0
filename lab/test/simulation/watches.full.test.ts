// @module-tag jobs
import { expect, it } from 'vitest';
import { simulateWatches } from '../../simulation/watches/simulate-watches.ts';

it('each version becomes one job within five minutes, of 20,000 objects', async () => {
  const { breaches, jobs, kills, lostEvents, doubledEvents } = await simulateWatches({ objects: 20_000, seed: 7 });
  expect(breaches).toEqual([]);
  expect(kills).toBe(2);
  expect(Math.min(lostEvents, doubledEvents)).toBeGreaterThan(900);
  expect(jobs).toBeGreaterThan(18_000);
}, 300_000);
