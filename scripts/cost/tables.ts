import { dollars, table } from '../markdown/table.ts';
import { type CostBreakdown, costOfJob, sum } from './cost-of-job.ts';
import { costOfMonth } from './cost-of-month.ts';
import { measured } from './measured.ts';
import { otherServices } from './other-services.ts';
import { prices } from './prices.ts';
import { type ResolutionName, resolutions } from './resolutions.ts';
import { jobSeconds, maxJobSeconds, type Workload } from './workload.ts';

const names = Object.keys(resolutions) as ResolutionName[];

/** What a workload costs, part by part, and what others publish for the same minutes. */
export function workloadTable(workload: Workload): string {
  const { minutes, minutesPerJob, resolution } = workload;
  const jobs = minutes / minutesPerJob;
  const parts = costOfJob(workload);
  const line = (name: string, perJob: number) => [name, dollars(perJob * jobs), dollars(perJob * 1000)];
  return table(
    ['Part', `>${minutes} minutes in ${Number(jobs.toFixed(1))} jobs`, '>1,000 jobs'],
    [
      ...(Object.keys(parts) as (keyof CostBreakdown)[]).map((name) => line(name, parts[name])),
      line('**all**', sum(parts)),
      ...otherServices.map(({ name, perMinute }) => line(name, perMinute[resolution] * minutesPerJob)),
    ],
  );
}

/** A thousand jobs at every resolution, beside the others. */
export function resolutionsTable(workload: Workload): string {
  return table(
    [
      'Resolution',
      '>Processor seconds per second',
      `>A job of ${workload.minutesPerJob} minutes takes`,
      '>1,000 jobs here',
      ...otherServices.map(({ name }) => `>${name}`),
    ],
    names.map((resolution) => {
      const here = { ...workload, resolution };
      const seconds = jobSeconds(here);
      const isTooLong = seconds > maxJobSeconds;
      return [
        resolution,
        measured[resolution].cpu.toFixed(2),
        isTooLong ? 'over 15 min: in parts' : `${(seconds / 60).toFixed(1)} min`,
        isTooLong ? '' : dollars(sum(costOfJob(here)) * 1000),
        ...otherServices.map(({ perMinute }) =>
          dollars(perMinute[resolution] * workload.minutesPerJob * 1000),
        ),
      ];
    }),
  );
}

/** What a month costs while nothing is submitted. */
export function monthTable(): string {
  const month = costOfMonth();
  const all = Object.values(month).reduce((total, part) => total + part, 0);
  const lines = Object.entries({ ...month, '**all**': all });
  return table(
    ['Part', '>A month'],
    lines.map(([name, value]) => [name, dollars(value)]),
  );
}

/** Every price that is reckoned with, and where it was read. */
export function pricesTable(): string {
  return table(
    ['>Dollars', 'Per', 'Source'],
    Object.values(prices).map(({ dollars: value, per, source }) => [exact(value), per, source]),
  );
}

/** What others publish, and where it was read. */
export function otherServicesTable(): string {
  return table(
    ['Service', ...names.map((name) => `>${name}`), 'Source'],
    otherServices.map(({ name, perMinute, source }) => [
      name,
      ...names.map((resolution) => `$${perMinute[resolution]}`),
      source,
    ]),
  );
}

/** As AWS writes it, without an exponent. */
function exact(value: number): string {
  return value.toFixed(10).replace(/0+$/, '').replace(/\.$/, '');
}
