import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../../client/client.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { useApi } from '../api/api-context.tsx';

const pollMs = 1_000;
/** A list may show many of them, and a worker has news every two seconds. */
const listedPollMs = 2_000;
/** Signed URLs may live for as little as a minute, and are made anew each half of that. */
const signedPollMs = 25_000;

/** Whether a job still changes by itself. */
export function isUnfinished({ state }: Pick<JobResource, 'state'>): boolean {
  return state === 'queued' || state === 'processing';
}

/** Under which the cache has a job. */
export function jobQueryKey(jobId: string) {
  return ['job', jobId] as const;
}

/** Puts what an action has made of a job in the place of what was known, and of what is on its way. */
export async function setCachedJob(queries: QueryClient, job: JobResource): Promise<void> {
  await queries.cancelQueries({ queryKey: jobQueryKey(job.jobId) });
  queries.setQueryData(jobQueryKey(job.jobId), job);
}

/**
 * A job, read again and again until it has ended, and then now and then for URLs that work. `known` is what a list said
 * of it, which shows no URLs: there what has ended is read no more, and what had ended by then not at all.
 */
export function useJob(jobId: string, known?: { job: JobResource; readAt: number }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const everyMs = known === undefined ? pollMs : listedPollMs;
  return useQuery({
    queryKey: jobQueryKey(jobId),
    queryFn: ({ signal }) => readJob({ client, queries, jobId, signal }),
    ...(known === undefined ? {} : { initialData: known.job, initialDataUpdatedAt: known.readAt }),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (isUnfinished(data)) return everyMs;
      return known === undefined ? signedPollMs : false;
    },
    // The tags belong to the very objects that were answered.
    structuralSharing: false,
    staleTime: ({ state: { data } }) => {
      if (data === undefined || isUnfinished(data)) return everyMs;
      return known === undefined ? signedPollMs : Number.POSITIVE_INFINITY;
    },
  });
}

/** The entity tag of the answer that a job was read from. */
const tags = new WeakMap<JobResource, string>();

type Reading = { client: Client; queries: QueryClient; jobId: string; signal: AbortSignal };

async function readJob({ client, queries, jobId, signal }: Reading): Promise<JobResource> {
  const last = queries.getQueryData<JobResource>(jobQueryKey(jobId));
  const tag = last === undefined ? undefined : tags.get(last);
  const headers = tag === undefined ? {} : { 'if-none-match': tag };
  const answer = await client.send('getJob', { params: { id: jobId }, headers, signal });
  if (answer.status === 304 && last !== undefined) return last;
  if (answer.status !== 200) throw new Error('The API answered 304 to a request without a tag');
  const given = answer.headers.get('etag');
  if (given !== null) tags.set(answer.body, given);
  return answer.body;
}
