import { ApiError, createClient } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { completedJobExample, queuedJobExample } from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import { followJobs } from '../../src/follow/follow-jobs.ts';
import { readJobsById, readUnfinishedJobs } from '../../src/follow/read-jobs.ts';
import { aStubApi } from '../builders/a-stub-api.ts';

const outage = new ApiError({ status: 503, code: 'UNAVAILABLE', message: 'Down.', retryable: true });
const processing: JobResource = {
  ...queuedJobExample,
  state: 'processing',
  stage: 'transcoding',
  progress: 40,
};

/** Follows jobs with these results of consecutive polls. Records the delays. */
async function follow(results: (JobResource[] | Error)[], signal = new AbortController().signal) {
  const delays: number[] = [];
  const polls: JobResource[][] = [];
  const read = async () => {
    const result = results.length > 1 ? results.shift() : results[0];
    if (result === undefined || result instanceof Error) throw result;
    return result;
  };
  const sleep = async (milliseconds: number) => void delays.push(milliseconds);
  const end = followJobs({ read, onPoll: (jobs) => polls.push(jobs), signal, sleep });
  const outcome = await end.catch((error: unknown) => error);
  return { outcome, polls, delays };
}

it('followJobs polls with growing delays until every job is terminal', async () => {
  const { outcome, polls, delays } = await follow([
    ...Array.from({ length: 5 }, () => [processing, completedJobExample]),
    [completedJobExample, completedJobExample],
  ]);
  expect(outcome).toEqual([completedJobExample, completedJobExample]);
  expect(polls).toHaveLength(6);
  expect(delays).toEqual([250, 500, 1000, 2000, 2000]);
});

it('followJobs tolerates a short outage', async () => {
  const { outcome } = await follow([[processing], outage, outage, [completedJobExample]]);
  expect(outcome).toEqual([completedJobExample]);
});

it('followJobs gives up after an outage of two minutes', async () => {
  const { outcome, delays } = await follow([[processing], outage]);
  expect(outcome).toBe(outage);
  expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(115_000);
});

it('followJobs fails at once for a deleted job', async () => {
  const notFound = new ApiError({ status: 404, code: 'NOT_FOUND', message: 'Gone.', retryable: false });
  expect(await follow([notFound])).toMatchObject({ outcome: notFound, delays: [] });
});

it('readJobsById readJobsById sends the ETag of a known job and no request for a terminal one', async () => {
  const { jobId: id } = queuedJobExample;
  const api = await aStubApi({
    [`GET /api/v1/jobs/${id}`]: [
      { status: 200, body: queuedJobExample, headers: { etag: '"a"' } },
      { status: 304 },
      { status: 200, body: completedJobExample, headers: { etag: '"b"' } },
    ],
  });
  const read = readJobsById(createClient({ baseUrl: api.origin, apiKey: 'key' }), [id]);
  const states = [];
  for (let poll = 0; poll < 4; poll += 1) states.push(...(await read()).map(({ state }) => state));
  await api.close();
  expect(states).toEqual(['queued', 'queued', 'completed', 'completed']);
  expect(api.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"', '"a"']);
});

describe('readUnfinishedJobs', () => {
  const lists =
    (pages: Record<string, JobResource[]>): typeof fetch =>
    async (address) => {
      const url = new URL(String(address));
      const id = /jobs\/(.+)$/.exec(url.pathname)?.[1];
      if (id === undefined)
        return Response.json({ jobs: pages[url.searchParams.get('state') ?? ''] ?? [], nextCursor: null });
      const job = pages.byId?.find(({ jobId }) => jobId === id);
      return job
        ? Response.json(job)
        : Response.json({ error: { code: 'NOT_FOUND', message: 'Gone.' } }, { status: 404 });
    };

  it('readUnfinishedJobs keeps a job that the lists miss until it is terminal, and drops a deleted one', async () => {
    const pages: Record<string, JobResource[]> = {};
    const read = readUnfinishedJobs(createClient({ baseUrl: 'http://api', fetch: (...call) => lists(pages)(...call) }));
    const [first, second] = [
      { ...processing, jobId: 'first' },
      { ...processing, jobId: 'second' },
    ];
    const seen: string[] = [];
    const readWith = async (current: Record<string, JobResource[]>) => {
      for (const key of Object.keys(pages)) delete pages[key];
      Object.assign(pages, current);
      seen.push((await read()).map(({ jobId, state }) => `${jobId} ${state}`).join(', '));
    };
    await readWith({ queued: [{ ...first, state: 'queued' }] });
    await readWith({ processing: [second], byId: [first] });
    await readWith({ processing: [first] });
    await readWith({ byId: [{ ...first, state: 'completed' }] });
    await readWith({ queued: [{ ...queuedJobExample, jobId: 'third' }] });
    expect(seen).toEqual([
      'first queued',
      'second processing, first processing',
      'first processing',
      'first completed',
      'first completed, third queued',
    ]);
  });
});
