import type { UsageDay } from './usage-totals.ts';

/** One kind of bar: what it is called, its colour, and its height for a day. */
export type Series = { name: string; color: string; value: (day: UsageDay) => number };

const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `2026-11-21` as `Nov 21`, or as the user's language writes it. */
export function dayLabel(date: string): string {
  return shortDay.format(new Date(`${date}T00:00:00Z`));
}

/** Media minutes of a day, to a tenth. */
export function mediaMinutes({ mediaSeconds }: UsageDay): number {
  return Math.round(mediaSeconds / 6) / 10;
}
