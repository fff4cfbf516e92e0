import { table } from '../../../markdown/table.ts';
import type { Benchmark } from './figure.ts';
import { isIdle } from './machine-load.ts';
import type { Results, Run } from './results.ts';

type Described = Pick<Benchmark, 'name' | 'question' | 'baseline'>;

/** One line per benchmark: the number of met goals, when it ran and how long. The machines of the runs follow. */
export function benchmarksSummary(benchmarks: readonly Described[], results: Results): string {
  const rows = table(
    ['Benchmark', '>Goals met', 'Run', '>Minutes', '>Other work'],
    benchmarks.map(({ name }) => {
      const run = results[name];
      if (run === undefined) return [`[${name}](#${name})`, '', 'not yet', '', ''];
      const met = run.figures.filter((figure) => figure.met).length;
      return [`[${name}](#${name})`, `${met} of ${run.figures.length}`, minuteOf(run), minutesOf(run), loadOf(run)];
    }),
  );
  const machines = new Set(benchmarks.flatMap(({ name }) => results[name]?.machine ?? []));
  return [rows, ...machines].join('\n\n');
}

/** Each benchmark with its question, baseline and last figures. */
export function benchmarkSections(benchmarks: readonly Described[], results: Results): string {
  return benchmarks
    .map(({ name, question, baseline }) =>
      [`### ${name}`, question, `**Baseline:** ${baseline}.`, figuresOf(results[name])].join('\n\n'),
    )
    .join('\n\n');
}

function figuresOf(run: Run | undefined): string {
  if (run === undefined) return 'Not run yet.';
  return table(
    ['Figure', '>Ratio', '>Quartiles', '>Goal, at most', ''],
    run.figures.map(({ name, ratio, low, high, goal, met }) => [
      name,
      ratio.toFixed(3),
      `${low.toFixed(3)} to ${high.toFixed(3)}`,
      String(Number(goal.toFixed(3))),
      met ? 'met' : '**missed**',
    ]),
  );
}

function minuteOf({ at }: Run): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

function minutesOf({ seconds }: Run): string {
  return (seconds / 60).toFixed(1);
}

/** The share of other work before a run; bold if it widens the spread. */
function loadOf({ busyShare }: Run): string {
  const text = `${(100 * busyShare).toFixed(0)} %`;
  return isIdle(busyShare) ? text : `**${text}**`;
}
