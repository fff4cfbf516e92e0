import { jobPhases } from '../../bench/harness/calls/job-calls.ts';
import { callsOfJob } from '../cost/calls-of-job.ts';
import { costOfCalls } from '../cost/cost-of-calls.ts';
import { onceAJob } from '../cost/per-job.ts';
import { dollars, table } from '../markdown/table.ts';
import { jobsPerSecond, limits } from './limits.ts';
import { longVideosPerHour } from './long-videos.ts';
import { sources } from './sources.ts';

const daySeconds = 24 * 3600;

/** A rate of jobs that comes evenly over the day, and how long each has its worker. */
type Load = { jobsADay: number; seconds: number };

/** Every call of a job, room by room, with the units that it takes of the table and what it costs. */
export function callsTable(): string {
  const names = {
    create: 'POST',
    work: 'work',
    heartbeat: 'each heartbeat',
    deliver: 'webhook',
    read: 'each GET',
  };
  const whole = [...onceAJob, callsOfJob.heartbeat].reduce((sum, one) => sum + costOfCalls(one), 0);
  return table(
    ['', 'Calls', '>Read units', '>Write units: table', '>`byState`', '>`due`', '>A million'],
    [
      ...jobPhases.map((room) => {
        const { calls, units } = callsOfJob[room];
        const counted = Object.entries(calls).map(([name, count]) =>
          count === 1 ? name : `${count} ${name}`,
        );
        const taken = [units.read, units.table, units.byState, units.due].map(String);
        return [names[room], counted.join(', '), ...taken, dollars(costOfCalls(callsOfJob[room]) * 1e6)];
      }),
      ['**with a heartbeat and two GETs**', '', '', '', '', '', dollars(whole * 1e6)],
    ],
  );
}

/** Each limit with what a job takes of it, and how many jobs a second that makes. */
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

/** What the film in parts takes of each limit, and how many of it may come in an hour. */
export function longVideosTable(): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  return table(
    ['What', '>A second', '>A film takes', '>Films an hour'],
    longVideosPerHour.map(({ what, most, perVideo, perHour }) => [
      what,
      whole(most),
      whole(perVideo),
      whole(perHour),
    ]),
  );
}

/** How much of each limit some loads take; what is over a hundred percent breaks. */
export function loadsTable(loads: readonly Load[]): string {
  const share = (limit: (typeof limits)[number], { jobsADay, seconds }: Load) => {
    const percent = (jobsADay / daySeconds / jobsPerSecond(limit, seconds)) * 100;
    if (percent < 0.1) return '0';
    const written = `${percent >= 10 ? Math.round(percent).toLocaleString('en') : percent.toFixed(1)} %`;
    return percent > 100 ? `**${written}**` : written;
  };
  return table(
    [
      'What',
      ...loads.map(({ jobsADay, seconds }) => `>${jobsADay.toLocaleString('en')} a day, of ${seconds} s`),
    ],
    limits.map((limit) => [limit.name, ...loads.map((load) => share(limit, load))]),
  );
}

/** Where each limit was read. */
export function sourcesTable(): string {
  return table(
    ['Source', 'Says', 'Where'],
    Object.entries(sources).map(([name, { url, said }]) => [name, said, `<${url}>`]),
  );
}
