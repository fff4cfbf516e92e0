import { type Breach, check } from '../checker/check.ts';
import { explore } from '../explore.ts';
import { simulate } from '../simulate-random.ts';
import { faults } from '../simulation/fault.ts';
import { faultScenarios } from '../workload/fault-scenarios.ts';
import { runScenario } from '../workload/scenario.ts';
import { scenarios } from '../workload/scenarios.ts';

/**
 * Searches for a broken invariant and prints it as JSON. Exits 0 whether or not it finds one.
 *
 *   find-breach.ts scenarios   each scenario once
 *   find-breach.ts faults      each scenario with a fault at each call, and random runs
 */
const search = process.argv[2] === 'faults' ? withFaults() : asTheyAre();
console.log(JSON.stringify({ invariant: (await firstBreach(search))?.invariant ?? null }));

async function firstBreach(search: AsyncIterable<Breach[]>): Promise<Breach | undefined> {
  for await (const [breach] of search) if (breach !== undefined) return breach;
  return undefined;
}

async function* asTheyAre(): AsyncGenerator<Breach[]> {
  for (const scenario of [...Object.values(scenarios), ...faultScenarios]) {
    yield check((await runScenario(scenario)).entries);
  }
}

async function* withFaults(): AsyncGenerator<Breach[]> {
  for (const scenario of Object.values(scenarios)) {
    const { findings } = await explore(scenario, { faults, pairs: false });
    yield findings.flatMap(({ breaches }) => breaches);
  }
  for (const seed of [1, 2]) yield (await simulate({ seed, jobs: 1_500 })).breaches;
}
