// @module-tag nightly
// @module-tag jobs
import { expect, it } from 'vitest';
import { itHoldsWithEveryCrashPair } from '../../simulation/crash-pairs.ts';
import { explore } from '../../simulation/explore.ts';
import { explorableChunkedFaultScenarios } from '../../simulation/workload/chunked-fault-scenarios.ts';
import { chunkedScenarios } from '../../simulation/workload/chunked-scenarios.ts';
import { faults } from '../../simulation/world/fault.ts';

itHoldsWithEveryCrashPair(Object.values(chunkedScenarios));

it.each(explorableChunkedFaultScenarios)(
  'every invariant holds with every additional fault at every call: $name',
  async (scenario) => {
    const { findings } = await explore(scenario, { faults, pairs: false });
    expect(findings).toEqual([]);
  },
);
