import { formatDollars } from '@media-jobs/cli/formatting';
import { type CostBreakdown, costOfJob, sumOfParts } from '../../core/pricing/cost-of-job.ts';
import { prices, pricesRegion } from '../../core/pricing/prices.ts';
import { dollarsOf, pricesOf } from '../../core/pricing/region-prices.ts';
import { regionSetting } from '../../lib/settings/regions.ts';
import { joinSame, table } from '../markdown/table.ts';
import { exactPrice } from '../prices/exact-price.ts';
import { pricedRegions } from '../prices/known-regions.ts';
import { costOfMonth } from './cost-of-month.ts';
import { ladderPerMinute, otherServices } from './other-services.ts';
import { type ResolutionName, recipeCost, resolutions } from './recipe-forecast.ts';
import { expectedUseOf, type Workload, workersOf } from './workload.ts';

const names = Object.keys(resolutions) as ResolutionName[];

/** Reads of one job by its owner, besides the request that submits it. Assumed. */
const usualReads = 2;

/** Cost of a workload by component, and published prices of other services for the same minutes. */
export function workloadTable(workload: Workload): string {
  const { minutes, minutesPerJob, resolution } = workload;
  const jobs = minutes / minutesPerJob;
  const breakdown = costOfWorkload(workload);
  const line = (name: string, perJob: number) => [name, formatDollars(perJob * jobs), formatDollars(perJob * 1000)];
  return table(
    ['Component', `>${minutes} minutes in ${Number(jobs.toFixed(1))} jobs`, '>1,000 jobs'],
    [
      ...(Object.keys(breakdown) as (keyof CostBreakdown)[]).map((name) => line(name, breakdown[name])),
      line('**all**', sumOfParts(breakdown)),
      ...otherServices.map(({ name, perMinute }) => line(name, perMinute[resolution] * minutesPerJob)),
    ],
  );
}

/** Cost of 1,000 jobs by speed, beside other services. Bold: dearer than the cheapest of them. */
export function speedsTable(workload: Workload): string {
  const works = [
    ['`compress`, 1080p', { recipe: 'compress', resolution: '1080p' }],
    ['`compress`, 2160p', { recipe: 'compress', resolution: '2160p' }],
    ['`hls`, the usual ladder of 1080p', { recipe: 'hls', resolution: '1080p' }],
  ] as const;
  return table(
    ['1,000 jobs', '>standard', '>economy', ...otherServices.map(({ name }) => `>${name}`)],
    works.map(([name, work]) => {
      const others = otherServices.map((service) => {
        const perMinute = work.recipe === 'hls' ? ladderPerMinute(service) : service.perMinute[work.resolution];
        return perMinute * workload.minutesPerJob * 1000;
      });
      const here = (['standard', 'economy'] as const).map((speed) => {
        const dollars = sumOfParts(costOfWorkload({ ...workload, ...work, speed })) * 1000;
        return dollars > Math.min(...others) ? `**${formatDollars(dollars)}**` : formatDollars(dollars);
      });
      return [name, ...here, ...others.map(formatDollars)];
    }),
  );
}

/** Cost of 1,000 jobs per resolution, compared with other services. */
export function resolutionsTable(workload: Workload): string {
  const durationSeconds = workload.minutesPerJob * 60;
  return table(
    [
      'Resolution',
      '>CPU seconds per second',
      '>Chunks',
      `>A job of ${workload.minutesPerJob} minutes takes`,
      '>1,000 jobs here',
      ...otherServices.map(({ name }) => `>${name}`),
    ],
    names.map((resolution) => {
      const here = { ...workload, resolution };
      const { seconds, chunks } = expectedUseOf(here);
      return [
        resolution,
        (recipeCost({ resolution, durationSeconds }).cpuSeconds / durationSeconds).toFixed(2),
        String(chunks),
        `${(seconds / 60).toFixed(1)} min`,
        formatDollars(sumOfParts(costOfWorkload(here)) * 1000),
        ...otherServices.map(({ perMinute }) => formatDollars(perMinute[resolution] * workload.minutesPerJob * 1000)),
      ];
    }),
  );
}

/** Monthly cost of an idle stage in a region. */
export function monthTable(region = pricesRegion): string {
  const month = costOfMonth(dollarsOf(pricesOf(region)));
  const all = Object.values(month).reduce((total, cost) => total + cost, 0);
  const lines = Object.entries({ ...month, '**all**': all });
  return table(
    ['Component', '>A month'],
    lines.map(([name, value]) => [name, formatDollars(value)]),
  );
}

/** What the jobs of a workload cost in each region that a stage may have. */
export function regionsTable(workload: Workload): string {
  return table(
    ['Region', '>1,000 jobs'],
    joinSame(
      pricedRegions
        .filter((region) => regionSetting.safeParse(region).success)
        .map((region) => [region, formatDollars(sumOfParts(costOfWorkload({ ...workload, region })) * 1000)]),
    ),
  );
}

/** All prices by their sources. */
export function pricesTable(): string {
  return [...Map.groupBy(Object.values(prices), ({ source }) => source)]
    .map(([source, all]) => {
      const rows = all.map(({ dollars, per }) => [exactPrice(dollars), per]);
      return `Source: ${source}.\n\n${table(['>Dollars', 'Per'], rows)}`;
    })
    .join('\n\n');
}

/** Published prices of other services, with their sources. */
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

/** Cost of one job of a workload that succeeds, like its webhook, at the first attempt. */
export function costOfWorkload(workload: Workload): CostBreakdown {
  const { downloads } = workload;
  return costOfJob({ ...expectedUseOf(workload), reads: usualReads, downloads }, workersOf(workload));
}
