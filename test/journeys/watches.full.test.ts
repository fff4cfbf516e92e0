// @module-tag jobs
// @module-tag nightly
import { readFile } from 'node:fs/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import { afterUse } from '@media-jobs/testing/after-use';
import { generatedFile } from '@media-jobs/video/testing';
import { beforeAll, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { tokensAfterSignIn } from '../../lib/local/sign-in.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { aWatchedAssembly, watchedBucket as bucket } from '../builders/stage/watched-assembly.ts';

const objects = Number(process.env.WATCHED_OBJECTS ?? 500);
let running: RunningStage;
let client: S3Client;
let clip: Buffer;

beforeAll(async () => {
  const watched = await aWatchedAssembly({
    ...{ name: 'described', extension: 'json', request: { recipe: { name: 'probe' } } },
    settings: { ownerLimits: { maxUnfinishedJobs: 2_000 } },
  });
  running = await aRunningStage(watched);
  client = new S3Client({ ...clientOptions(running.stage.endpoints.s3), forcePathStyle: true });
  afterUse(() => client.destroy());
  clip = await readFile(
    await generatedFile('watched.mp4', ['-f', 'lavfi', '-i', 'color=red:size=64x64:rate=5:duration=1', '-an']),
  );
}, 300_000);

const put = (Key: string, Body: Buffer | string) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));

async function jobs(query = 'metadata.watch=described&limit=100'): Promise<JobResource[]> {
  const { body } = await running.api('GET', `/api/v1/jobs?${query}`);
  return (body as { jobs: JobResource[] }).jobs;
}

it('an object becomes a job, one that is no media a rejected one, and empty ones, folders and other suffixes none', async () => {
  for (const key of ['raw/empty.mp4', 'raw/folder.mp4/', 'raw/film.mov', 'other/film.mp4']) await put(key, '');
  await put('raw/film.mov', clip);
  await put('raw/a film+é.mp4', clip);
  await put('raw/notes.txt', 'no media');
  await vi.waitFor(
    async () => {
      const ended = (await jobs()).map(({ state, request }) => [state, request.input?.url]);
      expect(ended.sort()).toEqual([
        ['completed', `s3://${bucket}/raw/a film+é.mp4`],
        ['rejected', `s3://${bucket}/raw/notes.txt`],
      ]);
    },
    { timeout: 60_000, interval: 300 },
  );
});

it('a session pauses a watch, and what came meanwhile becomes jobs once it is resumed', async () => {
  const { identity, fireSchedules } = running.stage;
  if (identity === undefined) throw new Error('The stage has an identity provider');
  const { access_token: session = '' } = await tokensAfterSignIn(identity);
  const change = (verb: string, credential = session) =>
    running.apiAs(credential)('POST', `/api/v1/watches/described/${verb}`);
  expect(await change('pause', running.apiKey)).toMatchObject({ status: 403 });
  expect(await change('pause')).toMatchObject({ status: 200, body: { name: 'described', state: 'paused' } });
  await put('raw/paused.mp4', clip);
  await fireSchedules();
  const made = async () => (await jobs()).filter(({ request }) => request.input?.url?.endsWith('paused.mp4'));
  expect(await made()).toEqual([]);
  expect((await running.api('GET', '/api/v1/watches')).body).toMatchObject({
    watches: [{ state: 'paused', objects: 3, jobs: 2 }],
  });
  expect(await change('resume')).toMatchObject({ status: 200, body: { state: 'active' } });
  await fireSchedules();
  expect(await made()).toHaveLength(1);
});

/** An event of the queue, as EventBridge has sent it. */
const eventOf = (key: string, etag: string) => {
  const body = JSON.stringify({ detail: { bucket: { name: bucket }, object: { key, etag } } });
  return { Records: [{ messageId: key, body, eventSource: 'aws:sqs' }] };
};

async function allUrls(): Promise<(string | undefined)[]> {
  const urls: (string | undefined)[] = [];
  let cursor = '';
  do {
    const { body } = await running.api('GET', `/api/v1/jobs?metadata.watch=described&limit=100${cursor}`);
    const page = body as { jobs: JobResource[]; nextCursor: string | null };
    urls.push(...page.jobs.map(({ request }) => request.input?.url));
    cursor = page.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`;
  } while (cursor !== '');
  return urls.filter((url) => url?.includes('/raw/many/'));
}

it(`${objects} objects become one job each, with doubled events, and a function that is killed`, async () => {
  const { stage } = running;
  const watch = stage.resources.functions.find((name) => name.endsWith('-watch')) ?? '';
  const keys = Array.from({ length: objects }, (_, index) => `raw/many/${index}.mp4`);
  const again: Promise<unknown>[] = [];
  for (const [index, key] of keys.entries()) {
    const { ETag = '' } = await put(key, clip);
    const event = eventOf(key, ETag.replaceAll('"', ''));
    // The killed ones have no answer.
    if (index % 4 === 0) again.push(stage.invoke(watch, event).catch(() => undefined));
    if (index % 200 === 150) await stage.faults.killSandboxes(watch);
  }
  await Promise.all(again);
  // What was killed waits in its queue for five minutes: the sweep is earlier.
  await stage.fireSchedules();
  await vi.waitFor(async () => expect(await allUrls()).toHaveLength(objects), { timeout: 60_000, interval: 1_000 });
  await stage.invoke(watch, eventOf('raw/many/0.mp4', 'another'));
  await stage.fireSchedules();
  const urls = await allUrls();
  expect(urls.toSorted()).toEqual(keys.map((key) => `s3://${bucket}/${key}`).toSorted());
  const { body } = await running.api('GET', '/api/v1/watches');
  expect(body).toMatchObject({
    watches: [{ name: 'described', state: 'active', objects: objects + 3, jobs: objects + 3, lagSeconds: 0 }],
  });
  await vi.waitFor(async () => expect((await jobs('state=queued&state=processing')).length).toBe(0), {
    timeout: 1_200_000,
    interval: 2_000,
  });
}, 1_500_000);
