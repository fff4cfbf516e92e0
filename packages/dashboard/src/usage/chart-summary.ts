import { dayLabel, type UsageDay } from './usage-days.ts';

/** One bar of each day's stack: its name and height. */
export type Series = {
  name: string;
  value: (day: UsageDay) => number;
};

/** What a chart shows, in words for a screen reader: the sum of each series and the day with the highest stack. */
export function chartSummary(
  days: readonly UsageDay[],
  { series, format }: { series: readonly Series[]; format: (value: number) => string },
): string {
  const sums = series.map(({ name, value }) => ({
    name,
    sum: days.reduce((total, day) => total + value(day), 0),
  }));
  const present = sums.filter(({ sum }) => sum > 0);
  if (present.length === 0) return 'No data.';
  const stacks = days.map((day) => ({
    date: day.date,
    height: series.reduce((total, { value }) => total + value(day), 0),
  }));
  const highest = stacks.reduce((one, other) => (other.height > one.height ? other : one));
  const totals = present.map(({ name, sum }) => `${name}: ${format(sum)}`).join(', ');
  return `${totals}. Highest on ${dayLabel(highest.date)}: ${format(highest.height)}. The table “By day” has each day.`;
}
