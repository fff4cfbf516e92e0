import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import type { Scenario } from './workload/scenario.ts';
import type { Fault } from './world/fault.ts';

/** Before a call, after it, and after it with its answer lost. */
const crashPoints: Fault[] = ['crash-before', 'crash-after', 'lost-answer'];

/** Tests that every invariant holds with every pair of crash points of each scenario. */
export function itHoldsWithEveryCrashPair(scenarios: Scenario[], faults: readonly Fault[] = crashPoints): void {
  it.each(scenarios)('every invariant holds with every pair of crash points: $name', async (scenario) => {
    const { findings } = await explore(scenario, { faults, pairs: true });
    expect(findings).toEqual([]);
  });
}
