import { describe, expect, it } from 'vitest';
import { check } from './checker/check.ts';
import { explore } from './explore.ts';
import { faults } from './simulation/fault.ts';
import { faultScenarios } from './workload/fault-scenarios.ts';
import { runScenario, type Scenario } from './workload/scenario.ts';
import { scenarios } from './workload/scenarios.ts';

const each = Object.values<Scenario>(scenarios);

describe('every invariant holds', () => {
  it.each(each)('where nothing fails: $name', async (scenario) => {
    const world = await runScenario(scenario);
    expect(check(world.entries)).toEqual([]);
  });

  it.each(faultScenarios)('$name', async (scenario) => {
    const world = await runScenario(scenario);
    expect(check(world.entries)).toEqual([]);
  });

  it.each(each)('with every fault at every call: $name', async (scenario) => {
    const { findings } = await explore(scenario, { faults, pairs: false });
    expect(findings).toEqual([]);
  });
});
