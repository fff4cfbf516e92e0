import { createClient } from '@media-jobs/client';
import { completedJobExample, type JobResource, queuedJobExample } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { followJobs } from '../../src/follow/follow-jobs.ts';

const aJob = (jobId: string, state: JobResource['state']): JobResource =>
  state === 'completed' ? { ...completedJobExample, jobId } : { ...queuedJobExample, jobId, state };

/**
 * An API whose jobs change with each read of the feed: `poll` is the number of reads before it. Its feed has an event of each
 * job that a read has for the first time.
 */
function anApi(jobsAt: (poll: number) => JobResource[]) {
  const requests: string[] = [];
  const announced = new Set<string>();
  let polls = 0;
  const answer = ({ pathname, searchParams }: URL): Response => {
    const jobs = jobsAt(polls);
    if (pathname === '/api/v1/jobs') return Response.json({ jobs, nextCursor: null });
    const [, jobId] = /jobs\/(.+)$/.exec(pathname) ?? [];
    const found = jobs.find((job) => job.jobId === jobId);
    if (found !== undefined) return Response.json(found);
    if (jobId !== undefined) return Response.json({ error: { code: 'NOT_FOUND', message: 'Gone.' } }, { status: 404 });
    polls += 1;
    const asked = searchParams.getAll('jobs').flatMap((text) => text.split(','));
    const events = jobs
      .filter((job) => !announced.has(job.jobId))
      .map((job) => ({ jobId: job.jobId, type: 'job.queued' }));
    for (const event of events) announced.add(event.jobId);
    return Response.json({ events, nextCursor: 'next', jobs: jobs.filter((job) => asked.includes(job.jobId)) });
  };
  const fetch = async (address: string) => {
    const url = new URL(address, 'http://api');
    requests.push(url.pathname);
    return answer(url);
  };
  return { client: createClient({ baseUrl: 'http://api', fetch }), requests };
}

async function follow(jobsAt: (poll: number) => JobResource[], jobIds?: string[]) {
  const { client, requests } = anApi(jobsAt);
  const seen: string[] = [];
  const calls = { client, signal: new AbortController().signal, sleep: async () => {}, now: () => 0 };
  const onPoll = (jobs: JobResource[]) =>
    void seen.push(jobs.map(({ jobId, state }) => `${jobId} ${state}`).join(', '));
  const end = followJobs(calls, { ...(jobIds && { jobIds }), onPoll });
  return { outcome: await end.catch((error: unknown) => error), requests, seen };
}

it('one request of the feed follows all jobs: 31 requests instead of 220', async () => {
  const jobIds = Array.from({ length: 20 }, (_, n) => `job-${n}`);
  const { outcome, requests } = await follow(
    (poll) => jobIds.map((jobId) => aJob(jobId, poll < 10 ? 'processing' : 'completed')),
    jobIds,
  );
  expect(outcome).toEqual(jobIds.map((jobId) => aJob(jobId, 'completed')));
  const [feeds, reads] = [requests.filter((path) => path === '/api/v1/events').length, jobIds.length];
  // Each job is read once, at its end: the feed has no files.
  expect([feeds, requests.length]).toEqual([11, 11 + reads]);
  const polledEach = 11 * jobIds.length;
  expect(requests.length).toBeLessThan(polledEach / 7);
});

it('follows more jobs than a request takes in turn', async () => {
  const jobIds = Array.from({ length: 120 }, (_, n) => `job-${n}`);
  const { requests } = await follow(() => jobIds.map((jobId) => aJob(jobId, 'completed')), jobIds);
  expect(requests.filter((path) => path === '/api/v1/events')).toHaveLength(3);
});

it('follows all unfinished jobs and new ones, without those that had ended or are deleted', async () => {
  const [first, second, third, ended] = ['job-1', 'job-2', 'job-3', 'job-4'] as const;
  const { seen, outcome } = await follow((poll) => {
    if (poll === 0) return [aJob(first, 'queued'), aJob(second, 'processing')];
    if (poll === 1) return [aJob(first, 'processing'), aJob(third, 'queued'), aJob(ended, 'completed')];
    return [aJob(first, 'completed'), aJob(third, poll === 2 ? 'processing' : 'completed'), aJob(ended, 'completed')];
  });
  expect(seen).toEqual([
    'job-1 queued, job-2 processing',
    'job-1 processing',
    'job-1 completed, job-3 processing',
    'job-1 completed, job-3 completed',
  ]);
  expect(outcome).toHaveLength(2);
});

it('ends at once if a job that it was told to follow does not exist', async () => {
  const { outcome } = await follow(() => [], ['job-1']);
  expect(outcome).toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
