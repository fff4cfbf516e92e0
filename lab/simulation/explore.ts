import { type Breach, check } from './checker/check.ts';
import { runScenario, type Scenario } from './workload/scenario.ts';
import { type CallPoint, type Fault, noFaults } from './world/fault.ts';

/** A fault at the n-th call of a run. */
export type Hit = { call: number; fault: Fault };

export type Finding = { scenario: string; hits: Hit[]; breaches: Breach[] };

export type Exploration = { runs: number; findings: Finding[] };

export type ExploreOptions = {
  faults: readonly Fault[];
  /** Whether every pair of faults is run too. */
  pairs: boolean;
  /** Called for every call from the first fault on: the calls before it are the same in every run. */
  onCall?: () => void;
};

/**
 * Runs a scenario once for every fault at every call, in addition to the scenario's own faults, and optionally for
 * every pair of them.
 */
export async function explore(scenario: Scenario, options: ExploreOptions): Promise<Exploration> {
  const exploration: Exploration = { runs: 0, findings: [] };
  const points = await attempt(scenario, [], options, exploration);
  for (const first of hits(points, options)) {
    const pointsThen = await attempt(scenario, [first], options, exploration);
    if (!options.pairs) continue;
    for (const second of hits(pointsThen.slice(first.call + 1), options)) {
      await attempt(scenario, [first, second], options, exploration);
    }
  }
  return exploration;
}

function hits(points: readonly CallPoint[], { faults }: ExploreOptions): Hit[] {
  return points.flatMap(({ index, goesOn }) =>
    faults.filter((fault) => !(goesOn && fault === 'crash-before')).map((fault) => ({ call: index, fault })),
  );
}

/** One run; returns the calls that it made. */
async function attempt(
  scenario: Scenario,
  hits: Hit[],
  { onCall }: ExploreOptions,
  exploration: Exploration,
): Promise<CallPoint[]> {
  const points: CallPoint[] = [];
  let isNew = hits.length === 0;
  const besides = scenario.plan?.() ?? noFaults();
  const faultOf = (point: CallPoint) => {
    points.push(point);
    const fault = hits.find(({ call }) => call === point.index)?.fault;
    isNew ||= fault !== undefined;
    return fault ?? besides.faultOf(point);
  };
  const plan = { ...besides, faultOf };
  const world = await runScenario(scenario, { plan, onCall: onCall && (() => isNew && onCall()) });
  const breaches = check(world.entries);
  exploration.runs += 1;
  if (breaches.length > 0) exploration.findings.push({ scenario: scenario.name, hits, breaches });
  return points;
}
