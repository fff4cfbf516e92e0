import type { Client, OperationResult } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';

const pollMs = 1_000;
/** A list polls many jobs, and workers write progress every four seconds. */
const listedPollMs = 2_000;
/** Signed URLs may be valid for only a minute, and the API renews them after half of that. */
const finishedPollMs = 25_000;

export function isUnfinished({ state }: Pick<JobResource, 'state'>): boolean {
  return state === 'queued' || state === 'processing';
}

export function jobQueryKey(jobId: string) {
  return ['job', jobId] as const;
}

/** Stores the job that an action returned, and cancels reads in flight, whose results would be older. */
export async function setCachedJob(queries: QueryClient, job: OperationResult<'cancelJob'>): Promise<void> {
  await queries.cancelQueries({ queryKey: jobQueryKey(job.jobId) });
  queries.setQueryData(jobQueryKey(job.jobId), job);
}

/**
 * Polls a job until it ends, then more slowly to renew its signed URLs. A row of the list shows no URLs: with `known`,
 * the job from the list, polling stops at the end of the job.
 */
export function useJob(jobId: string, known?: { job: JobResource; readAt: number }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const intervalMs = known === undefined ? pollMs : listedPollMs;
  return useQuery({
    queryKey: jobQueryKey(jobId),
    queryFn: ({ signal }) =>
      readJob({ client, queries, jobId, expand: known === undefined ? 'input' : undefined, signal }),
    initialData: known?.job,
    initialDataUpdatedAt: known?.readAt,
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (isUnfinished(data)) return intervalMs;
      return known === undefined ? finishedPollMs : false;
    },
    // Entity tags are stored by response object, so its identity must survive.
    structuralSharing: false,
    staleTime: ({ state: { data } }) => {
      if (data === undefined || isUnfinished(data)) return intervalMs;
      return known === undefined ? finishedPollMs : Number.POSITIVE_INFINITY;
    },
  });
}

/** Entity tags by response object. */
const entityTags = new WeakMap<JobResource, string>();

type ReadOptions = {
  client: Client;
  queries: QueryClient;
  jobId: string;
  /** A page shows the input too. */
  expand: 'input' | undefined;
  signal: AbortSignal;
};

async function readJob({ client, queries, jobId, expand, signal }: ReadOptions): Promise<JobResource> {
  const last = queries.getQueryData<JobResource>(jobQueryKey(jobId));
  const tag = last === undefined ? undefined : entityTags.get(last);
  const headers = tag === undefined ? {} : { 'if-none-match': tag };
  const response = await client.send('getJob', { params: { id: jobId }, query: { expand }, headers, signal });
  if (response.status === 304 && last !== undefined) return last;
  if (response.status !== 200) throw new Error('Expected status 200, got 304 for a request without If-None-Match');
  const etag = response.headers.get('etag');
  if (etag !== null) entityTags.set(response.body, etag);
  return response.body;
}
