// @module-tag jobs
import { describe, expect, it } from 'vitest';
import { check } from '../../simulation/checker/check.ts';
import { faultScenarios } from '../../simulation/workload/fault-scenarios.ts';
import { runScenario, type Scenario } from '../../simulation/workload/scenario.ts';
import { scenarios } from '../../simulation/workload/scenarios.ts';

describe('every invariant holds', () => {
  it.each(Object.values<Scenario>(scenarios))('without faults: $name', async (scenario) => {
    const world = await runScenario(scenario);
    expect(check(world.entries)).toEqual([]);
  });

  it.each(faultScenarios)('with a series of faults: $name', async (scenario) => {
    const world = await runScenario(scenario);
    expect(check(world.entries)).toEqual([]);
  });
});
