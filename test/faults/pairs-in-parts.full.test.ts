import { expect, it } from 'vitest';
import { itHoldsWithEveryPair } from './crash-pairs.ts';
import { explore } from './exhaustive.ts';
import { faults } from './simulation/fault.ts';
import { inParts } from './workload/in-parts.ts';
import { troubledParts } from './workload/particular-parts.ts';

itHoldsWithEveryPair(Object.values(inParts));

it.each(troubledParts)(
  'every invariant holds with every fault at every call besides: $name',
  async (scenario) => {
    const { findings } = await explore(scenario, { faults, pairs: false });
    expect(findings).toEqual([]);
  },
);
