import { Command } from 'commander';
import type { OperationResult } from '../../client/operation.ts';
import { jobStates } from '../../core/jobs/states.ts';
import { formatBytes, formatDollars, formatDuration } from '../../formatting/quantities.ts';
import type { CommandFactory } from '../context/command-context.ts';
import { columns } from '../show/columns.ts';

type DateRange = { from?: string; to?: string };
type UsageDay = OperationResult<'getUsage'>['days'][number];

export const usageCommand: CommandFactory = (runAction) =>
  new Command('usage')
    .description('Shows jobs, media time, compute time, output size and cost per UTC day.')
    .option('--from <date>', 'first day, such as 2026-03-01; default: 30 days before the last day')
    .option('--to <date>', 'last day; default: today')
    .action(
      runAction(async ({ client, printResult, printNote }, query: DateRange) => {
        const usage = await client.getUsage({ query });
        printResult(usage, formatUsage(usage.days));
        if (usage.truncated) {
          printNote('Only the newest jobs were counted, because there are too many. Ask for fewer days.');
        }
      }),
    );

const titles = [
  'DAY',
  ...jobStates.map((state) => state.toUpperCase()),
  'MEDIA',
  'COMPUTE',
  'OUTPUT',
  'COST',
];

/** A table of the days that have jobs, with a row of sums. */
function formatUsage(days: readonly UsageDay[]): string {
  const daysWithJobs = days.filter(({ jobs }) => jobStates.some((state) => jobs[state] > 0));
  if (daysWithJobs.length === 0) return 'There are no jobs in this period.';
  return columns([titles, ...daysWithJobs.map((day) => cells(day.date, [day])), cells('All', daysWithJobs)]);
}

function cells(title: string, days: readonly UsageDay[]): string[] {
  const sum = (select: (day: UsageDay) => number) => days.reduce((total, day) => total + select(day), 0);
  return [
    title,
    ...jobStates.map((state) => String(sum(({ jobs }) => jobs[state]))),
    formatDuration(sum(({ mediaSeconds }) => mediaSeconds)),
    formatDuration(sum(({ computeSeconds }) => computeSeconds)),
    formatBytes(sum(({ outputBytes }) => outputBytes)),
    formatDollars(sum(({ usd }) => usd)),
  ];
}
