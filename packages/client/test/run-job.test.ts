import { completedJobExample } from '@media-jobs/core/api';
import { aWebServer, type ReceivedRequest, type WebServer } from '@media-jobs/testing/web-server';
import { afterEach, expect, it, vi } from 'vitest';
import { createClient } from '../src/client.ts';
import { createMediaJobs } from '../src/media-jobs.ts';
import { submitOnce } from '../src/run-job.ts';

const body = {
  ...{ mode: 'recipe' as const, input: { url: 'https://media.example/in.mp4' }, output: { format: 'mp4' as const } },
  ...{ recipe: { name: 'mute' as const }, metadata: { order: '4711' } },
};
const job = completedJobExample;

let api: WebServer;

afterEach(() => void vi.unstubAllGlobals());

/**
 * An API that answers a submission with `status`; 0 closes the connection. The list has the job from its request number
 * `listedFrom` on.
 */
async function anApi(status: number, listedFrom = 1) {
  let lists = 0;
  api = await aWebServer(({ method, path }, response) => {
    if (method === 'POST' && status === 0) return response.destroy();
    const isList = path.startsWith('/api/v1/jobs?');
    if (isList) lists += 1;
    const answer = isList ? { jobs: lists >= listedFrom ? [job] : [], nextCursor: null } : job;
    response.writeHead(method === 'POST' ? status : 200, { 'content-type': 'application/json', etag: 'W/"1"' });
    response.end(JSON.stringify(answer));
  });
}

/** Submits as a page of another origin. `delays` are the waits between its requests. */
async function submitFromAnotherOrigin() {
  const delays: number[] = [];
  const submission = submitOnce(
    {
      client: createClient({ baseUrl: api.origin, apiKey: 'nte_key' }),
      signal: new AbortController().signal,
      sleep: async (milliseconds) => void delays.push(milliseconds),
      ...{ newId: () => 'id-1', isForeign: true },
    },
    body,
  );
  return { delays, result: await submission.catch((error: unknown) => error) };
}

const sent = (method: string) => api.requests.filter((request) => request.method === method);
const metadataOf = ({ body: text }: ReceivedRequest) => JSON.parse(text).metadata;

it.each([
  ['another origin finds a job whose answer was lost', 0],
  ['another origin finds a job after an outage', 503],
])('a page of %s, without a second submission', async (_, status) => {
  await anApi(status, 3);
  const { result, delays } = await submitFromAnotherOrigin();
  expect(result).toEqual(job);
  expect(delays).toEqual([500, 1_000, 1_500]);
  expect(sent('POST').map(metadataOf)).toEqual([{ order: '4711', clientSubmissionId: 'id-1' }]);
  expect(
    sent('GET').map(({ path }) => new URL(path, api.origin).searchParams.get('metadata[clientSubmissionId]')),
  ).toEqual(['id-1', 'id-1', 'id-1']);
});

it.each([
  ['a job that never shows in the list is not submitted again', 0, 5],
  ['a rejected request is not looked for', 400, 0],
])('%s', async (_, status, lookUps) => {
  await anApi(status, Number.POSITIVE_INFINITY);
  const { result, delays } = await submitFromAnotherOrigin();
  expect(result).toMatchObject({ status });
  expect([sent('POST').length, sent('GET').length, delays.length]).toEqual([1, lookUps, lookUps]);
});

it.each([
  ['another origin', () => 'https://app.example/', false],
  ['the origin of the API', (origin: string) => `${origin}/app/`, true],
])('a page of %s runs a job with the headers that it may send', async (_, pageOf, mayBeIdempotent) => {
  await anApi(201);
  vi.stubGlobal('location', new URL(pageOf(api.origin)));
  const { jobs } = createMediaJobs({ baseUrl: api.origin, apiKey: 'nte_key' });
  const result = await jobs.run(body.input.url, { ...body.recipe, format: 'mp4' });
  expect(result.job).toEqual(job);
  const [submission] = sent('POST');
  expect(submission?.headers['idempotency-key'] !== undefined).toBe(mayBeIdempotent);
  expect(submission && 'metadata' in JSON.parse(submission.body)).toBe(!mayBeIdempotent);
});
