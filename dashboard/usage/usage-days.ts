import type { OperationResult } from '../../client/operation.ts';

export type UsageDay = OperationResult<'getUsage'>['days'][number];

/** The number of jobs of a day, in any state. */
export function jobCount({ jobs }: UsageDay): number {
  return Object.values(jobs).reduce((sum, count) => sum + count, 0);
}

/** The sums over several days. */
export function usageTotals(days: readonly UsageDay[]) {
  const sum = (value: (day: UsageDay) => number) => days.reduce((total, day) => total + value(day), 0);
  return {
    jobs: sum(jobCount),
    mediaSeconds: sum((day) => day.mediaSeconds),
    computeSeconds: sum((day) => day.computeSeconds),
    outputBytes: sum((day) => day.outputBytes),
  };
}

const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `2026-11-21` as `Nov 21`, in the user's language. */
export function dayLabel(date: string): string {
  return shortDay.format(new Date(`${date}T00:00:00Z`));
}

/** The media minutes of a day, rounded to tenths. */
export function mediaMinutes({ mediaSeconds }: UsageDay): number {
  return Math.round(mediaSeconds / 6) / 10;
}
