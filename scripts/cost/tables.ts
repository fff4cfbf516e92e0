import { costOfJob, jobSeconds, type Parts, sum, type Workload } from './estimate.ts';
import { measured } from './measured.ts';
import { otherPrices } from './prices.ts';
import { type ResolutionName, resolutions } from './resolutions.ts';

const names = Object.keys(resolutions) as ResolutionName[];

/** What a workload costs, part by part, and what others publish for the same minutes. Lines of Markdown. */
export function workloadTable(workload: Workload): string {
  const { minutes, minutesPerJob, resolution } = workload;
  const jobs = minutes / minutesPerJob;
  const parts = costOfJob(workload);
  const line = (name: string, perJob: number) => row([name, dollars(perJob * jobs), dollars(perJob * 1000)]);
  return [
    row(['Part', `${minutes} minutes in ${amount(jobs)} jobs`, '1,000 jobs']),
    '|---|--:|--:|',
    ...(Object.keys(parts) as (keyof Parts)[]).map((name) => line(name, parts[name])),
    line('**all**', sum(parts)),
    ...Object.entries(otherPrices).map(([name, price]) => line(name, price[resolution] * minutesPerJob)),
  ].join('\n');
}

/** A thousand minutes at every resolution, beside the others. Lines of Markdown. */
export function resolutionsTable(workload: Workload): string {
  const others = Object.entries(otherPrices);
  return [
    row([
      'Resolution',
      'Processor seconds per second',
      'A job of 5 minutes takes',
      'This service',
      ...others.map(([name]) => name),
    ]),
    row(['---', '--:', '--:', '--:', ...others.map(() => '--:')]),
    ...names.map((resolution) => {
      const here = { ...workload, resolution };
      const perMinute = sum(costOfJob(here)) / here.minutesPerJob;
      return row([
        resolution,
        measured[resolution].cpu.toFixed(2),
        duration(jobSeconds(here)),
        dollars(perMinute * 1000),
        ...others.map(([, price]) => dollars(price[resolution] * 1000)),
      ]);
    }),
  ].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function dollars(value: number): string {
  return `$${value.toFixed(value < 1 ? 4 : 2)}`;
}

function amount(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

function duration(seconds: number): string {
  return `${(seconds / 60).toFixed(1)} min`;
}
