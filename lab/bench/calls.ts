import { type CallCosts, callsOfJob, costOfCalls, type JobCalls, jobPhases } from '../../core/pricing/per-job.ts';
import { defaultPrices, dollarsOf } from '../../core/pricing/region-prices.ts';
import { countJobCalls } from './harness/calls/count-job-calls.ts';
import { type Benchmark, figure } from './harness/figures/figure.ts';

/** The number of AWS calls of a job. Calls are counted, not timed: the figure is the same on any machine. */
export const calls: Benchmark = {
  name: 'calls',
  question: 'How many calls to AWS does a job make, from POST to its delivered webhook and a GET?',
  baseline: 'those of core/pricing/per-job.ts, a heartbeat included; docs/scaling.md has their sum',
  run: async (print) => {
    const counted = await countJobCalls();
    for (const phase of jobPhases) print(`  ${phase}: ${sentence(counted[phase])}`);
    return [figure('calls', [total(counted) / total(callsOfJob)], 1)];
  },
};

function total(ofJob: JobCalls): number {
  return jobPhases.flatMap((room) => Object.values(ofJob[room].calls)).reduce((sum, count) => sum + count, 0);
}

function sentence(spent: CallCosts): string {
  const { read, table, owner, byState, byName, due, waiting } = spent.units;
  const counted = Object.entries(spent.calls).map(([name, count]) => `${count} ${name}`);
  return (
    `${counted.join(', ')}; ${read} read units, ${table} + ${byState} + ${byName} + ${due} + ${waiting} write units of the table, byState, ` +
    `byName, due and waiting, ${owner} of them in the partition of the owner; $${(costOfCalls(spent, dollarsOf(defaultPrices)) * 1e6).toFixed(2)} a million`
  );
}
