import type { OperationResult } from '@media-jobs/client';
import { jobStates, terminalStates } from '@media-jobs/core/api';
import { Command } from 'commander';
import type { CommandFactory } from '../context/command-context.ts';
import { formatLimit, limitTitle } from '../formatting/limits.ts';
import { formatBytes, formatDollars, formatDuration } from '../formatting/quantities.ts';
import { labelOfGroup, sumGroups } from '../formatting/usage-groups.ts';
import { columns, table } from '../show/sanitize.ts';

type UsageDay = OperationResult<'getUsage'>['days'][number];

export const usageCommand: CommandFactory = (context) =>
  new Command('usage')
    .description(
      'Shows jobs, media time, compute time, output size and cost per UTC day, key, recipe, preset or metadata value.',
    )
    .option('--from <date>', 'first day, such as 2026-03-01; default: 30 days before the last day')
    .option('--to <date>', 'last day; default: today')
    .option(
      '--by <what>',
      'sums of ended jobs by key, recipe, preset or metadata.<key> instead of days; commas combine, as in key,recipe',
    )
    .action(async (query: { from?: string; to?: string; by?: string }) => {
      const { by } = query;
      const usage = await context.client.getUsage({ query });
      context.printResult(usage, by === undefined ? formatDays(usage.days) : formatGroups(usage.days, by));
      if (usage.truncated) context.printNote('Not all jobs were counted. Request fewer days.');
    });

const sumTitles = ['MEDIA', 'COMPUTE', 'OUTPUT', 'COST'];
const noJobs = 'There are no jobs in this period.';

/** A table of the days that have jobs, with a row of sums. */
function formatDays(days: readonly UsageDay[]): string {
  const daysWithJobs = days.filter(({ jobs }) => jobStates.some((state) => jobs[state] > 0));
  if (daysWithJobs.length === 0) return noJobs;
  const sum = (select: (day: UsageDay) => number) => daysWithJobs.reduce((all, day) => all + select(day), 0);
  const all = {
    jobs: Object.fromEntries(jobStates.map((state) => [state, sum(({ jobs }) => jobs[state])])),
    mediaSeconds: sum(({ mediaSeconds }) => mediaSeconds),
    computeSeconds: sum(({ computeSeconds }) => computeSeconds),
    outputBytes: sum(({ outputBytes }) => outputBytes),
    usd: sum(({ usd }) => usd),
  };
  return columns([
    ['DAY', ...titlesOf(jobStates), ...sumTitles],
    ...daysWithJobs.map((day) => cells(day.date, jobStates, day)),
    cells('All', jobStates, all),
  ]);
}

/** A table of the groups of all days. */
function formatGroups(days: readonly UsageDay[], by: string): string {
  const groups = sumGroups(days, labelOfGroup);
  if (groups.length === 0) return noJobs;
  return columns([
    [
      by.startsWith('metadata.') ? by : by.toUpperCase().replaceAll(',', ' / '),
      ...titlesOf(terminalStates),
      ...sumTitles,
    ],
    ...groups.map((group) => cells(group.label, terminalStates, group)),
  ]);
}

function titlesOf(states: readonly string[]): string[] {
  return states.map((state) => state.toUpperCase());
}

type Sums = { jobs: Partial<Record<string, number>> } & Record<
  'mediaSeconds' | 'computeSeconds' | 'outputBytes' | 'usd',
  number
>;

function cells(title: string, states: readonly string[], sums: Sums): string[] {
  return [
    title,
    ...states.map((state) => String(sums.jobs[state] ?? 0)),
    formatDuration(sums.mediaSeconds),
    formatDuration(sums.computeSeconds),
    formatBytes(sums.outputBytes),
    formatDollars(sums.usd),
  ];
}

export const limitsCommand: CommandFactory = (context) =>
  new Command('limits').description('Shows your limits and how much of them you use.').action(async () => {
    const result = await context.client.getLimits();
    const rows = result.limits.map(({ limit, value, use }) => [
      limitTitle(limit),
      use === null ? '' : formatLimit(limit, use),
      formatLimit(limit, value),
    ]);
    context.printResult(result, table(['LIMIT', 'USED', 'MAXIMUM'], rows, 'You have no limits.'));
  });
