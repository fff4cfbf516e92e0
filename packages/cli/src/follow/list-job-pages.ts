import type { Client, OperationRequest, OperationResult } from '@media-jobs/client';

export type JobsQuery = NonNullable<OperationRequest<'listJobs'>['query']>;
type Page = OperationResult<'listJobs'>;

/** Lists jobs page by page, from the cursor of the query to the end. */
export async function* listJobPages(client: Client, query: JobsQuery): AsyncGenerator<Page> {
  let cursor = query.cursor;
  do {
    const page: Page = await client.listJobs({ query: { ...query, cursor } });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
