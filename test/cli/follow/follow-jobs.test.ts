import { describe, expect, it } from 'vitest';
import { followJobs } from '../../../cli/follow/follow-jobs.ts';
import { readJobsById } from '../../../cli/follow/jobs-by-id.ts';
import { readUnfinishedJobs } from '../../../cli/follow/unfinished-jobs.ts';
import { ApiError } from '../../../client/api-error.ts';
import { createClient } from '../../../client/client.ts';
import { completedJobExample, queuedJobExample } from '../../../core/api/job-examples.ts';
import type { JobResource } from '../../../core/api/job-resource.ts';
import { aStubApi } from '../../builders/http/a-stub-api.ts';

const outage = new ApiError({ status: 503, code: 'UNAVAILABLE', message: 'Down.', retryable: true });
const processing: JobResource = {
  ...queuedJobExample,
  state: 'processing',
  stage: 'transcoding',
  progress: 40,
};

/** Follows jobs that are read so, one answer after another, and keeps what was waited. */
async function followed(answers: (JobResource[] | Error)[], signal = new AbortController().signal) {
  const pauses: number[] = [];
  const rounds: JobResource[][] = [];
  const read = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  const pause = async (milliseconds: number) => void pauses.push(milliseconds);
  const end = followJobs({ read, onRound: (jobs) => rounds.push(jobs), signal, pause });
  const outcome = await end.catch((error: unknown) => error);
  return { outcome, rounds, pauses };
}

describe('following jobs', () => {
  it('goes on until every one has ended, in longer and longer steps', async () => {
    const { outcome, rounds, pauses } = await followed([
      ...Array.from({ length: 5 }, () => [processing, completedJobExample]),
      [completedJobExample, completedJobExample],
    ]);
    expect(outcome).toEqual([completedJobExample, completedJobExample]);
    expect(rounds).toHaveLength(6);
    expect(pauses).toEqual([250, 500, 1000, 2000, 2000]);
  });

  it('outlasts a service that is away for a while', async () => {
    const { outcome } = await followed([[processing], outage, outage, [completedJobExample]]);
    expect(outcome).toEqual([completedJobExample]);
  });

  it('gives up when it stays away for two minutes', async () => {
    const { outcome, pauses } = await followed([[processing], outage]);
    expect(outcome).toBe(outage);
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(115_000);
  });

  it('ends at once for a job that is gone', async () => {
    const gone = new ApiError({ status: 404, code: 'NOT_FOUND', message: 'Gone.', retryable: false });
    expect(await followed([gone])).toMatchObject({ outcome: gone, pauses: [] });
  });
});

describe('jobs by their ids', () => {
  it('are asked for by what is known of them, and no more once they have ended', async () => {
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
    for (let round = 0; round < 4; round += 1) states.push(...(await read()).map(({ state }) => state));
    await api.close();
    expect(states).toEqual(['queued', 'queued', 'completed', 'completed']);
    expect(api.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"', '"a"']);
  });
});

describe('all unfinished jobs', () => {
  const lists =
    (pages: Record<string, JobResource[]>): typeof fetch =>
    async (address) => {
      const url = new URL(String(address));
      const named = /jobs\/(.+)$/.exec(url.pathname)?.[1];
      if (named === undefined)
        return Response.json({ jobs: pages[url.searchParams.get('state') ?? ''] ?? [], nextCursor: null });
      const job = pages.named?.find(({ jobId }) => jobId === named);
      return job
        ? Response.json(job)
        : Response.json({ error: { code: 'NOT_FOUND', message: 'Gone.' } }, { status: 404 });
    };

  it('keep one that is missing from the lists until it has ended, and drop one that was deleted', async () => {
    const pages: Record<string, JobResource[]> = {};
    const read = readUnfinishedJobs(
      createClient({ baseUrl: 'http://api', fetch: (...call) => lists(pages)(...call) }),
    );
    const [first, second] = [
      { ...processing, jobId: 'first' },
      { ...processing, jobId: 'second' },
    ];
    const seen: string[] = [];
    const look = async (now: Record<string, JobResource[]>) => {
      for (const key of Object.keys(pages)) delete pages[key];
      Object.assign(pages, now);
      seen.push((await read()).map(({ jobId, state }) => `${jobId} ${state}`).join(', '));
    };
    await look({ queued: [{ ...first, state: 'queued' }] });
    await look({ processing: [second], named: [first] });
    await look({ processing: [first] });
    await look({ named: [{ ...first, state: 'completed' }] });
    await look({ queued: [{ ...queuedJobExample, jobId: 'third' }] });
    expect(seen).toEqual([
      'first queued',
      'second processing, first processing',
      'first processing',
      'first completed',
      'first completed, third queued',
    ]);
  });
});
