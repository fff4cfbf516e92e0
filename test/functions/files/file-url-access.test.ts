import { describe, expect, it } from 'vitest';
import type { JobIn } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { equivalentBase64 } from '../../builders/equivalent-base64.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';
import { fileRoutes, other } from './file-routes.ts';
import { changed, own, urlOf } from './stored-set.ts';

const routes = await fileRoutes();
const { open, jobs, complete } = routes;

describe('a URL is FORBIDDEN', () => {
  const hls = () => urlOf({ file: 'hls.m3u8' });
  const alone = () => urlOf({ file: 'stream_0.mp4', scope: 'file' });

  it.each([
    ['with the path of another file', () => alone().replace('stream_0.mp4', 'log.txt')],
    ['with the path of another output', () => hls().replace('/output/', '/small/')],
    ['with the path of another job', () => hls().replace(String(own), String(other))],
    ['with a later end', () => changed(hls(), 'e', 'zzzzzz')],
    ['with another text of the same end', () => changed(hls(), 'e', `0${new URL(hls()).searchParams.get('e')}`)],
    ['with another signature', () => changed(hls(), 's', 'A'.repeat(22))],
    ['with a part of the signature', () => changed(hls(), 's', 'cut')],
    [
      'of another attempt',
      () => changed(hls(), 's', new URL(urlOf({ file: 'hls.m3u8', attempt: 2 })).searchParams.get('s') ?? ''),
    ],
    ['after its end', () => urlOf({ file: 'hls.m3u8', lifetimeSeconds: -1 })],
  ])('%s', async (_, url) => {
    const { status, text } = await open(url());
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('with another text of the same signature', async () => {
    const signature = new URL(hls()).searchParams.get('s') ?? '';
    const others = equivalentBase64(signature);
    expect(others).toHaveLength(15);
    for (const other of others) expect((await open(changed(hls(), 's', other))).status).toBe(403);
    expect((await open(hls())).status).toBe(200);
  });
});

describe('a URL is NOT_FOUND', () => {
  const hls = () => urlOf({ file: 'hls.m3u8' });

  it.each([
    ['of an unknown job', () => hls().replace(String(own), aJobId(9))],
    ['of another owner', () => changed(hls(), 'o', 'owner-2')],
    ['of an owner that no table key has', () => changed(hls(), 'o', 'owner-1#JOBS')],
    ['of a missing file', () => urlOf({ file: 'stream_7.mp4' })],
  ])('%s', async (_, url) => {
    const { status, text } = await open(url());
    expect([status, JSON.parse(text).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('once its files have expired', async () => {
    const url = urlOf({ file: 'hls.m3u8', lifetimeSeconds: 9e7 });
    expect((await open(url, 8e7)).status).toBe(404);
  });

  it('once its job is deleted', async () => {
    const jobId = aJobId(5);
    await complete(jobId, ['hls.m3u8', 'stream_0.mp4']);
    const url = urlOf({ file: 'stream_0.mp4', jobId });
    expect((await open(url)).status).toBe(302);
    const job = (await jobs.get({ ownerId: 'owner-1', jobId })) as JobIn<'completed'>;
    expect((await jobs.write(deleteJob(job, start))).written).toBe(true);
    expect((await open(url)).status).toBe(404);
  });
});

it.each([
  ['hls', 'gone.mp4'],
  ['..', '..'],
  ['a path', '..%2f..%2fhls.m3u8'],
  ['', '%00'],
])('a name that is no file of the job is FORBIDDEN or NOT_FOUND: %s', async (_, file) => {
  expect([403, 404]).toContain((await open(urlOf({ file: 'hls.m3u8' }).replace('hls.m3u8', file))).status);
});
