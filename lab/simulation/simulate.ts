import { parseArgs } from 'node:util';
import { runMain } from '../../lib/build/run-main.ts';
import { readNumber } from '../read-number.ts';
import { siteRecorder, writtenSites } from './call-sites.ts';
import { type Breach, check } from './checker/check.ts';
import { explore } from './explore.ts';
import { figuresOf, traceOf } from './figures.ts';
import { simulate } from './simulate-random.ts';
import { judgeSpot, runSpot } from './simulate-spot.ts';
import { faultScenarios } from './workload/fault-scenarios.ts';
import { runScenario } from './workload/scenario.ts';
import { scenarios } from './workload/scenarios.ts';
import { faults } from './world/fault.ts';

const usage = `Runs jobs under a virtual clock while everything fails that may; exits 1 where an invariant broke or a call was not reached.

  npm run simulate -- [--jobs 10000] [--seed 7] [--graphs] [--json]

As many economy jobs then run in the pool, whose tasks lose their Spot capacity after five minutes on average.

--graphs: every job is a pipeline or has several outputs; instead of runs with one fault each, and of the pool.
`;

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      jobs: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '7' },
      graphs: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const jobs = readNumber('--jobs', values.jobs, { isWhole: true });
  const seed = readNumber('--seed', values.seed, { isWhole: true });

  console.error(`Simulating ${jobs} jobs, which takes minutes`);
  const simulation = await simulate({ seed, jobs, onlyGraphs: values.graphs });
  const spot = values.graphs ? undefined : judgeSpot(await runSpot({ seed, jobs }));
  const figures = { ...figuresOf({ seed, jobs }, simulation), ...spot?.figures };
  const { found, unreached, runs } = values.graphs ? { found: [], unreached: [], runs: 0 } : await everyFaultOnce();
  const breaches = [...simulation.breaches, ...(spot?.breaches ?? []), ...found];

  const { world } = simulation;
  const faultsMet = world.entries.filter(({ kind }) => kind === 'fault').length;
  console.log(`${figures.jobs} jobs of seed ${figures.seed}: ${world.calls()} calls, ${faultsMet} faults`);
  console.log(`${runs} runs with one fault each, at every call of ${Object.keys(scenarios).length} scenarios`);
  console.log(`trace ${traceOf(world.entries)}, ${figures.jobsPerSecond} jobs/s`);
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(24)} ${value}`);
  for (const { invariant, breach } of breaches.slice(0, 50)) console.log(`BROKEN ${invariant}: ${breach}`);
  for (const site of unreached) console.log(`NOT REACHED by any run: ${site}`);
  if (breaches.length === 0) console.log('Every invariant holds.');
  if (values.json) console.log(JSON.stringify(figures));
  process.exitCode = breaches.length + unreached.length > 0 ? 1 : 0;
});

/** Every fault at every call of each scenario, every series of faults, and the call sites that no run reached. */
async function everyFaultOnce(): Promise<{ found: Breach[]; unreached: string[]; runs: number }> {
  const { onCall, reached } = siteRecorder();
  const explorations = [];
  for (const [name, scenario] of Object.entries(scenarios)) {
    const exploration = await explore(scenario, { faults, pairs: false, onCall });
    console.error(`${name}: ${exploration.runs} runs, each with one fault`);
    explorations.push(exploration);
  }
  const inSeries: Breach[] = [];
  for (const scenario of faultScenarios) {
    inSeries.push(...check((await runScenario(scenario, { onCall })).entries));
  }
  return {
    found: [...inSeries, ...explorations.flatMap(({ findings }) => findings.flatMap((finding) => finding.breaches))],
    unreached: writtenSites().filter((site) => !reached.has(site)),
    runs: explorations.reduce((sum, exploration) => sum + exploration.runs, 0),
  };
}
