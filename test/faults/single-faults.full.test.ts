import { expect, it } from 'vitest';
import { explore } from './explore.ts';
import { faults } from './simulation/fault.ts';
import type { Scenario } from './workload/scenario.ts';
import { scenarios } from './workload/scenarios.ts';

// simulate.full.test.ts runs the same faults; this test names the scenario that breaks.
it.each(Object.values<Scenario>(scenarios))(
  'every invariant holds with every fault at every call: $name',
  async (scenario) => {
    const { findings } = await explore(scenario, { faults, pairs: false });
    expect(findings).toEqual([]);
  },
);
