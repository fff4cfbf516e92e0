import { expect, it } from 'vitest';
import { itHoldsWithEveryCrashPair } from './crash-pairs.ts';
import { explore } from './explore.ts';
import { faults } from './simulation/fault.ts';
import { explorableChunkedFaultScenarios } from './workload/chunked-fault-scenarios.ts';
import { chunkedScenarios } from './workload/chunked-scenarios.ts';

itHoldsWithEveryCrashPair(Object.values(chunkedScenarios));

it.each(explorableChunkedFaultScenarios)(
  'every invariant holds with every additional fault at every call: $name',
  async (scenario) => {
    const { findings } = await explore(scenario, { faults, pairs: false });
    expect(findings).toEqual([]);
  },
);
