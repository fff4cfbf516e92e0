import type { OperationResult } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';

const pollMs = 1_000;
/** Signed URLs may be valid for only a minute, and the API renews them after half of that. */
const finishedPollMs = 25_000;

export function isUnfinished({ state }: Pick<JobResource, 'state'>): boolean {
  return state === 'queued' || state === 'processing';
}

export function jobQueryKey(jobId: string) {
  return ['job', jobId] as const;
}

/** Queries of the feed of events. What creates jobs invalidates them: the events take two seconds. */
export const feedKey = 'feed';

/** Stores the job that an action returned, and cancels reads in flight, whose results would be older. */
export async function setCachedJob(queries: QueryClient, job: OperationResult<'cancelJob'>): Promise<void> {
  await queries.cancelQueries({ queryKey: jobQueryKey(job.jobId) });
  queries.setQueryData(jobQueryKey(job.jobId), job);
}

/** Entity tags by response object. */
const entityTags = new WeakMap<JobResource, string>();

/** @param expand `input` for a page, which shows the input too */
function useJobQuery(jobId: string, expand?: 'input') {
  const { client } = useApi();
  const queries = useQueryClient();
  const queryKey = jobQueryKey(jobId);
  const queryFn = async ({ signal }: { signal: AbortSignal }): Promise<JobResource> => {
    const last = queries.getQueryData<JobResource>(queryKey);
    const tag = last && entityTags.get(last);
    const headers = tag === undefined ? {} : { 'if-none-match': tag };
    const response = await client.send('getJob', { params: { id: jobId }, query: { expand }, headers, signal });
    if (response.status === 304 && last !== undefined) return last;
    if (response.status !== 200) throw new Error('Expected status 200, got 304 for a request without If-None-Match');
    const etag = response.headers.get('etag');
    if (etag !== null) entityTags.set(response.body, etag);
    return response.body;
  };
  // The identity of a response must survive: its tag is stored by it.
  return { queryKey, queryFn, structuralSharing: false };
}

/** Polls a job until it ends, then more slowly to renew its signed URLs. */
export function useJob(jobId: string) {
  const intervalMs = (job: JobResource) => (isUnfinished(job) ? pollMs : finishedPollMs);
  return useQuery({
    ...useJobQuery(jobId, 'input'),
    refetchInterval: ({ state: { data } }) => data !== undefined && intervalMs(data),
    staleTime: ({ state: { data } }) => (data === undefined ? pollMs : intervalMs(data)),
  });
}

/** The job of a row of the list, which the feed updates while the row is visible. */
export function useListedJob({ job, readAt }: { job: JobResource; readAt: number }): JobResource {
  const known = { initialData: job, initialDataUpdatedAt: readAt, staleTime: Number.POSITIVE_INFINITY };
  return useQuery({ ...useJobQuery(job.jobId), ...known }).data;
}
