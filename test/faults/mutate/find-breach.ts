import { type Breach, check } from '../checker/check.ts';
import { explore } from '../explore.ts';
import { simulate } from '../simulate-random.ts';
import { faults } from '../simulation/fault.ts';
import { faultScenarios } from '../workload/fault-scenarios.ts';
import { runScenario } from '../workload/scenario.ts';
import { scenarios } from '../workload/scenarios.ts';

/** Searches for a broken invariant, fastest searches first, and prints it as JSON. Always exits 0. */
console.log(JSON.stringify({ invariant: (await firstBreach())?.invariant ?? null }));

async function firstBreach(): Promise<Breach | undefined> {
  for await (const [breach] of searches()) if (breach !== undefined) return breach;
  return undefined;
}

async function* searches(): AsyncGenerator<Breach[]> {
  for (const scenario of Object.values(scenarios)) {
    yield check((await runScenario(scenario)).entries);
  }
  for (const scenario of faultScenarios) {
    yield check((await runScenario(scenario)).entries);
  }
  for (const scenario of Object.values(scenarios)) {
    const { findings } = await explore(scenario, { faults, pairs: false });
    yield findings.flatMap(({ breaches }) => breaches);
  }
  for (const seed of [1, 2]) yield (await simulate({ seed, jobs: 1_500 })).breaches;
}
