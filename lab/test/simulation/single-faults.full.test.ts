// @module-tag nightly
// @module-tag jobs
import { expect, it } from 'vitest';
import { explore } from '../../simulation/explore.ts';
import { providerScenarios } from '../../simulation/workload/provider-scenarios.ts';
import type { Scenario } from '../../simulation/workload/scenario.ts';
import { scenarios } from '../../simulation/workload/scenarios.ts';
import { faults } from '../../simulation/world/fault.ts';

// simulate.full.test.ts runs the same faults at the calls of `scenarios`; this test names the scenario that breaks.
it.each<Scenario>([...Object.values(scenarios), ...providerScenarios])(
  'every invariant holds with every fault at every call: $name',
  async (scenario) => {
    const { findings } = await explore(scenario, { faults, pairs: false });
    expect(findings).toEqual([]);
  },
);
