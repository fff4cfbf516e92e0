import type { OperationResult } from '@media-jobs/client';

export type UsageDay = OperationResult<'getUsage'>['days'][number];

/** The number of jobs of a day, in any state. */
function jobCount({ jobs }: UsageDay): number {
  return Object.values(jobs).reduce((sum, count) => sum + count, 0);
}

/** Whether a day has jobs or costs. */
export function isActive(day: UsageDay): boolean {
  return jobCount(day) > 0 || day.usd > 0;
}

export function usageTotals(days: readonly UsageDay[]) {
  const sum = (value: (day: UsageDay) => number) => days.reduce((total, day) => total + value(day), 0);
  return {
    jobs: sum(jobCount),
    mediaSeconds: sum((day) => day.mediaSeconds),
    computeSeconds: sum((day) => day.computeSeconds),
    outputBytes: sum((day) => day.outputBytes),
    usd: sum((day) => day.usd),
  };
}

/** Whole days before today, whose mean is that of the days to come. */
const forecastDays = 7;

/**
 * The dollars of the current UTC month: those spent, and for each day that is left the mean of the last seven whole days.
 * The last of the days is today.
 */
export function monthForecast(days: readonly UsageDay[]): number {
  const today = days.at(-1)?.date ?? '';
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const spent = usageTotals(days.filter(({ date }) => date.slice(0, 7) === today.slice(0, 7))).usd;
  const latest = days.slice(-1 - forecastDays, -1);
  const mean = usageTotals(latest).usd / Math.max(1, latest.length);
  const daysOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return spent + mean * (daysOfMonth - day);
}

const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `2026-11-21` as `Nov 21`, in the user's language. */
export function dayLabel(date: string): string {
  return shortDay.format(new Date(`${date}T00:00:00Z`));
}

/** The date of the last day, and those of whole weeks before it. */
export function weeklyDates(days: readonly UsageDay[]): string[] {
  return days.filter((_, index) => (days.length - 1 - index) % 7 === 0).map(({ date }) => date);
}

/** The media minutes of a day, rounded to tenths. */
export function mediaMinutes({ mediaSeconds }: UsageDay): number {
  return Math.round(mediaSeconds / 6) / 10;
}
