import { describe, expect, it } from 'vitest';
import { check } from './checker/check.ts';
import { explore } from './exhaustive.ts';
import { calmPlan, faults } from './simulation/fault.ts';
import { runWorld } from './workload/run.ts';
import { particular, type Scenario, scenarios } from './workload/scenarios.ts';

const each = Object.values<Scenario>(scenarios);

describe('every invariant holds', () => {
  it.each(each)('where nothing fails: $name', async (scenario) => {
    const world = await runWorld({ ...scenario, plan: calmPlan() });
    expect(check(world.entries)).toEqual([]);
  });

  it.each(particular)('$name', async (scenario) => {
    const world = await runWorld({ plan: calmPlan(), ...scenario });
    expect(check(world.entries)).toEqual([]);
  });

  it.each(each)('with every fault at every call: $name', async (scenario) => {
    const { findings } = await explore(scenario, { faults, pairs: false });
    expect(findings).toEqual([]);
  });
});
