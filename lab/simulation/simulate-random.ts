import { type Breach, check } from './checker/check.ts';
import { randomFaults } from './workload/random-faults.ts';
import {
  defaultReceivers,
  randomEndpoints,
  randomJobScripts,
  randomProviderOwners,
} from './workload/random-job-scripts.ts';
import { runWorld } from './workload/run-world.ts';
import type { World } from './world/world.ts';

/** The start time of every world. */
const from = Date.parse('2026-03-01T12:00:00.000Z');
const arrivalsPerSecond = 3;
const calmAfterMs = 5 * 60_000;
/** Too few for all jobs at once: some wait, long ones under their limit. */
const fewWorkers = 32;

export type Simulation = { world: World; breaches: Breach[]; wallSeconds: number };

export type SimulationOptions = {
  seed: number;
  jobs: number;
  /** Every job has several steps. */
  onlyGraphs?: boolean;
  onCall?: () => void;
};

/** Runs random jobs with random faults, and checks the log. An even seed has few workers. */
export async function simulate({ seed, jobs, onlyGraphs, onCall }: SimulationOptions): Promise<Simulation> {
  const spanMs = (jobs / arrivalsPerSecond) * 1_000;
  const began = performance.now();
  const world = await runWorld({
    seed,
    plan: randomFaults(seed, { from, calmFrom: from + spanMs + calmAfterMs }),
    scripts: randomJobScripts(seed, { jobs, spanMs, onlyGraphs }),
    defaults: defaultReceivers(),
    endpoints: randomEndpoints(),
    providerOwners: randomProviderOwners(),
    ...(seed % 2 === 0 ? { workers: fewWorkers } : {}),
    ...(onCall === undefined ? {} : { onCall }),
  });
  const breaches = check(world.entries);
  return { world, breaches, wallSeconds: (performance.now() - began) / 1_000 };
}
