import type { Client } from '../../client/client.ts';
import type { OperationRequest, OperationResult } from '../../client/operation.ts';

export type JobsQuery = NonNullable<OperationRequest<'listJobs'>['query']>;
type Page = OperationResult<'listJobs'>;

/** The pages of a list of jobs, from the query's cursor to the end. */
export async function* listJobPages(client: Client, query: JobsQuery): AsyncGenerator<Page> {
  let cursor = query.cursor;
  do {
    const page: Page = await client.listJobs({ query: { ...query, cursor } });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
