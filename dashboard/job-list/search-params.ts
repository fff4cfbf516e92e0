import type { JobState } from '../../core/jobs/states.ts';

/** The states that the list can be filtered by, in the order of a job's life. */
export const filterStates = [
  'queued',
  'processing',
  'completed',
  'failed',
  'rejected',
  'cancelled',
] as const satisfies readonly JobState[];

/** What the address of the list says: a state, and the first and last day of creation. */
export type JobListSearch = { state?: JobState; from?: string; to?: string };

/** Reads an address that anyone may have typed: what makes no sense is left out. */
export function parseJobListSearch(search: Record<string, unknown>): JobListSearch {
  const state = filterStates.find((known) => known === search.state);
  return {
    ...(state === undefined ? {} : { state }),
    ...(isDay(search.from) ? { from: search.from } : {}),
    ...(isDay(search.to) ? { to: search.to } : {}),
  };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** The filters as the API takes them; days begin and end in the user's own time zone. */
export function toApiFilters({ state, from, to }: JobListSearch) {
  return {
    ...(state === undefined ? {} : { state }),
    ...(from === undefined ? {} : { createdAfter: midnight(from, 0) }),
    ...(to === undefined ? {} : { createdBefore: midnight(to, 1) }),
  };
}

function midnight(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}

/** The day so many days before today, in the user's own time zone, as `2026-11-21`. */
export function daysAgo(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() - days);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
