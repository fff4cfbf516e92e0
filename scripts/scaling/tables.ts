import { jobPhases } from '../../core/pricing/call-costs.ts';
import { callsOfJob } from '../../core/pricing/calls-of-job.ts';
import { costOfCalls } from '../../core/pricing/cost-of-calls.ts';
import { onceAJob, usualRepetitions } from '../../core/pricing/per-job.ts';
import { defaultPrices, dollarsOf } from '../../core/pricing/region-prices.ts';
import { formatDollars } from '../../formatting/quantities.ts';
import { table } from '../markdown/table.ts';
import { jobsPerSecond, limits } from './limits.ts';
import { longVideosPerHour } from './long-videos.ts';
import { sources } from './sources.ts';

const daySeconds = 24 * 3600;
const prices = dollarsOf(defaultPrices);

/** An even rate of jobs over the day, and how long each occupies its worker. */
type Load = { jobsPerDay: number; seconds: number };

/** All calls of a job by phase, with DynamoDB units and cost. */
export function callsTable(): string {
  const names = {
    create: 'POST',
    work: 'work',
    heartbeat: 'each heartbeat',
    deliver: 'webhook',
    read: 'each GET',
  };
  const total = [...onceAJob(usualRepetitions), callsOfJob.heartbeat].reduce(
    (sum, one) => sum + costOfCalls(one, prices),
    0,
  );
  return table(
    [
      '',
      'Calls',
      '>Read units',
      '>Write units: table',
      ">of these, in the owner's partition",
      '>`byState`',
      '>`due`',
      '>`waiting`',
      '>A million',
    ],
    [
      ...jobPhases.map((phase) => {
        const { calls, units } = callsOfJob[phase];
        const counted = Object.entries(calls).map(([name, count]) =>
          count === 1 ? name : `${count} ${name}`,
        );
        const { read, table: written, owner, byState, due, waiting } = units;
        const taken = [read, written, owner, byState, due, waiting].map(String);
        return [
          names[phase],
          counted.join(', '),
          ...taken,
          formatDollars(costOfCalls(callsOfJob[phase], prices) * 1e6),
        ];
      }),
      ['**with a heartbeat and two GETs**', '', '', '', '', '', '', '', formatDollars(total * 1e6)],
    ],
  );
}

/** Each limit with the jobs per second that it allows. */
export function limitsTable(shortSeconds: number, longSeconds: number): string {
  const rate = (value: number) =>
    `${value >= 100 ? Math.floor(value).toLocaleString('en') : Number(value.toPrecision(2))}`;
  return table(
    ['What', '>A second', `>Jobs a second, of ${shortSeconds} s`, `>of ${longSeconds} s`, 'Raise', 'Source'],
    limits.map((limit) => [
      limit.name,
      limit.maxPerSecond.toLocaleString('en'),
      rate(jobsPerSecond(limit, shortSeconds)),
      rate(jobsPerSecond(limit, longSeconds)),
      limit.raise,
      limit.source,
    ]),
  );
}

/** Usage of each limit by the long video in chunks, and the videos per hour that it allows. */
export function longVideosTable(): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  return table(
    ['What', '>A second', '>Per video', '>Videos per hour'],
    longVideosPerHour.map(({ what, maximum, perVideo, perHour }) => [
      what,
      whole(maximum),
      whole(perVideo),
      whole(perHour),
    ]),
  );
}

/** Usage of each limit by several loads in percent; bold above 100 %. */
export function loadsTable(loads: readonly Load[]): string {
  const share = (limit: (typeof limits)[number], { jobsPerDay, seconds }: Load) => {
    const percent = (jobsPerDay / daySeconds / jobsPerSecond(limit, seconds)) * 100;
    if (percent < 0.1) return '0';
    const written = `${percent >= 10 ? Math.round(percent).toLocaleString('en') : percent.toFixed(1)} %`;
    return percent > 100 ? `**${written}**` : written;
  };
  return table(
    [
      'What',
      ...loads.map(({ jobsPerDay, seconds }) => `>${jobsPerDay.toLocaleString('en')} a day, of ${seconds} s`),
    ],
    limits.map((limit) => [limit.name, ...loads.map((load) => share(limit, load))]),
  );
}

/** The sources of all limits. */
export function sourcesTable(): string {
  return table(
    ['Source', 'States', 'Where'],
    Object.entries(sources).map(([name, { url, text }]) => [name, text, `<${url}>`]),
  );
}
