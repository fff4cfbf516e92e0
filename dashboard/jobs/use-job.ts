import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../../client/client.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { useApi } from '../api/api-context.tsx';

const pollMs = 1_000;
/** A list may show many of them, and a worker has news every two seconds. */
const listedPollMs = 2_000;

/** Whether a job still changes by itself. */
export function isUnfinished({ state }: Pick<JobResource, 'state'>): boolean {
  return state === 'queued' || state === 'processing';
}

export function jobKey(jobId: string) {
  return ['job', jobId] as const;
}

/**
 * A job, read again and again until it has ended. `known` is what a list said of it; what had ended by then is not read
 * at all.
 */
export function useJob(jobId: string, known?: { job: JobResource; readAt: number }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const everyMs = known === undefined ? pollMs : listedPollMs;
  return useQuery({
    queryKey: jobKey(jobId),
    queryFn: ({ signal }) => readJob({ client, queries, jobId, signal }),
    ...(known === undefined ? {} : { initialData: known.job, initialDataUpdatedAt: known.readAt }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnfinished(data) ? everyMs : false),
    // The tags belong to the very objects that were answered.
    structuralSharing: false,
    staleTime: ({ state: { data } }) => {
      if (data === undefined || isUnfinished(data)) return everyMs;
      // What has ended changes no more, but for its signed URLs, which a list does not show.
      return known === undefined ? 60_000 : Number.POSITIVE_INFINITY;
    },
  });
}

/** The entity tag of the answer that a job was read from. */
const tags = new WeakMap<JobResource, string>();

type Reading = { client: Client; queries: QueryClient; jobId: string; signal: AbortSignal };

async function readJob({ client, queries, jobId, signal }: Reading): Promise<JobResource> {
  const last = queries.getQueryData<JobResource>(jobKey(jobId));
  const tag = last === undefined ? undefined : tags.get(last);
  const headers = tag === undefined ? {} : { 'if-none-match': tag };
  const answer = await client.send('getJob', { params: { id: jobId }, headers, signal });
  if (answer.status === 304 && last !== undefined) return last;
  if (answer.status !== 200) throw new Error('The API answered 304 to a request without a tag');
  const given = answer.headers.get('etag');
  if (given !== null) tags.set(answer.body, given);
  return answer.body;
}
