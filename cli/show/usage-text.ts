import type { OperationResult } from '../../client/operation.ts';
import { jobStates } from '../../core/jobs/states.ts';
import { formatBytes, formatDuration } from '../../formatting/quantities.ts';
import { columns } from './columns.ts';

type UsageDay = OperationResult<'getUsage'>['days'][number];

const titles = ['DAY', ...jobStates.map((state) => state.toUpperCase()), 'MEDIA', 'WORK', 'OUTPUT'];

/** The days that had jobs, as a table with their sums. */
export function usageText(days: readonly UsageDay[]): string {
  const busy = days.filter(({ jobs }) => jobStates.some((state) => jobs[state] > 0));
  if (busy.length === 0) return 'There are no jobs of these days.';
  return columns([titles, ...busy.map((day) => cells(day.date, [day])), cells('All', busy)]);
}

function cells(title: string, days: readonly UsageDay[]): string[] {
  const sum = (of: (day: UsageDay) => number) => days.reduce((all, day) => all + of(day), 0);
  return [
    title,
    ...jobStates.map((state) => String(sum(({ jobs }) => jobs[state]))),
    formatDuration(sum(({ mediaSeconds }) => mediaSeconds)),
    formatDuration(sum(({ computeSeconds }) => computeSeconds)),
    formatBytes(sum(({ outputBytes }) => outputBytes)),
  ];
}
