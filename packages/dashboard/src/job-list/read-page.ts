import type { Client } from '@media-jobs/client';
import { type LoadedPage, pageSize } from './loaded-pages.ts';
import { type JobListSearch, toApiFilters } from './search-params.ts';

/** Reads the next page that has jobs, from a cursor. A page that is not the last may be empty: it is skipped. */
export async function readPage(
  client: Pick<Client, 'listJobs'>,
  search: JobListSearch,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<LoadedPage> {
  const query = { limit: pageSize, cursor, ...toApiFilters(search) };
  const { jobs, nextCursor } = await client.listJobs({ query, signal });
  if (jobs.length === 0 && nextCursor !== null) return readPage(client, search, nextCursor, signal);
  return { jobs, nextCursor, readAt: Date.now() };
}
