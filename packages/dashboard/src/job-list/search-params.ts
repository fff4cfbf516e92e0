import type { JobState } from '@media-jobs/core/api';

/** The states that the list can be filtered by, in the order of a job's life. */
export const filterStates = [
  'queued',
  'processing',
  'completed',
  'failed',
  'rejected',
  'cancelled',
] as const satisfies readonly JobState[];

/** The search parameters of the list: a state, the first and last day of creation as `2026-11-21`, and a searched text. */
export type JobListSearch = { state?: JobState; from?: string; to?: string; search?: string };

/** Parses the search parameters of the list; invalid values are ignored. */
export function parseJobListSearch(search: Record<string, unknown>): JobListSearch {
  return {
    state: filterStates.find((known) => known === search.state),
    from: isDay(search.from) ? search.from : undefined,
    to: isDay(search.to) ? search.to : undefined,
    search: searchText(search.search),
  };
}

/** Numbers of a URL are parsed: a search for an order number is one. */
function searchText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text.slice(0, 500);
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

export function hasFilters(search: JobListSearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

/** The filters as query parameters of the API. Days start and end in the user's time zone. */
export function toApiFilters({ state, from, to, search }: JobListSearch) {
  return {
    // Rows show the sizes of files, and pictures.
    expand: 'files' as const,
    state: state && [state],
    search,
    createdAfter: from === undefined ? undefined : midnight(from, 0),
    createdBefore: to === undefined ? undefined : midnight(to, 1),
  };
}

function midnight(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}

/** The date `days` days before today in the user's time zone, as `2026-11-21`; undefined for any time. */
export function daysAgo(days: number | undefined): string | undefined {
  if (days === undefined) return undefined;
  const date = new Date();
  date.setDate(date.getDate() - days);
  // Swedish dates are those of ISO 8601.
  return date.toLocaleDateString('sv');
}
