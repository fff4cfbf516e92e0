// @module-tag streams
// @module-tag storage
import { readFile } from 'node:fs/promises';
import { afterUse } from '@media-jobs/testing/after-use';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import {
  aStreamingClip,
  clipWith,
  type FileRange,
  readDash,
  readMasterPlaylist,
  readMediaPlaylist,
  readSegmentIndex,
} from '@media-jobs/video/testing';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import type { Playback } from '../../core/api/playback.ts';
import { aMovedClock, type MovedClock } from '../builders/stage/moved-clock.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { readJob, submitJob } from '../builders/stage/submitted-jobs.ts';

const hourMs = 3_600_000;

let clock: MovedClock;
let running: RunningStage;
let customer: WebServer;
let stream: JobResource;
let sprite: JobResource;

beforeAll(async () => {
  const [video, clip] = await Promise.all([aStreamingClip(), clipWith()].map(async (path) => readFile(await path)));
  clock = await aMovedClock();
  afterUse(clock.stop);
  running = await aRunningStage({ preload: clock.preload });
  customer = await aWebServer(({ path }, response) => {
    response.writeHead(200).end(path === '/film.mp4' ? video : path === '/clip.mp4' ? clip : undefined);
  });
  const jobs = await Promise.all([
    submit('film.mp4', 'm3u8', { name: 'hls', segmentSeconds: 2 }),
    submit('clip.mp4', 'jpg', { name: 'sprite', every: 1, columns: 1, rows: 1 }),
  ]);
  await customer.seen(2, '/hook');
  [stream, sprite] = (await Promise.all(jobs.map(read))) as [JobResource, JobResource];
});

describe('a stream', () => {
  it('plays by HLS with its signed URL alone', async () => {
    const { hls = '' } = stream.outputs ?? {};
    const { sizes, defaultAudio = '', keyframes } = readMasterPlaylist(await textOf(hls));
    expect(sizes).toMatchObject([{ height: 480 }, { height: 240 }, { height: 360 }]);
    for (const playlist of [...[...sizes, ...keyframes].map((size) => size.playlist), defaultAudio]) {
      const url = new URL(playlist, hls).href;
      const { initSection, segments } = readMediaPlaylist(await textOf(url));
      expect(segments).toHaveLength(4);
      expect((await bytesOf(initSection, url)).toString('latin1', 4, 8)).toBe('ftyp');
      for (const segment of segments) {
        const bytes = await bytesOf(segment, url);
        expect([bytes.length, bytes.toString('latin1', 4, 8)]).toEqual([segment.length, 'moof']);
      }
    }
  });

  it('plays by DASH with its signed URL alone', async () => {
    const { dash = '' } = stream.outputs ?? {};
    const { videos: sizes, audios } = readDash(await textOf(dash));
    expect([sizes.length, audios.length]).toEqual([3, 1]);
    for (const { index } of [...sizes, ...audios]) {
      const box = await bytesOf(index, dash);
      const [first] = readSegmentIndex(box, index.offset + index.length);
      if (!first) throw new Error('There is no segment');
      const fragment = await bytesOf({ ...first, file: index.file }, dash);
      expect([box, fragment].map((bytes) => bytes.toString('latin1', 4, 8))).toEqual(['sidx', 'moof']);
    }
  });

  it('may be played by any origin, and is cached by no one', async () => {
    const answer = await fetch(stream.outputs?.hls ?? '', { headers: { origin: 'https://player.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
  });

  it('has one URL, which its record has too', () => {
    const { outputs = {}, output_files = {} } = stream;
    const urls = Object.entries(output_files).map(([name, { storage_url }]) => [name, storage_url]);
    expect(Object.fromEntries(urls)).toEqual(outputs);
    expect(output_files.hls).toMatchObject({ file_type: 'playlist', file_format: 'm3u8' });
  });

  it('has playable URLs in its webhook', async () => {
    const bodies = (await customer.seen(2, '/hook')).map(({ body }) => JSON.parse(body));
    const { data } = bodies.find((body) => body.data.jobId === stream.jobId);
    expect(new URL(data.outputs.hls).origin).toBe(running.stage.baseUrl);
    expect(readMasterPlaylist(await textOf(data.outputs.hls)).sizes).toHaveLength(3);
  });
});

describe('a playback', () => {
  const play = (jobId: string, body?: object) => running.api('POST', `/api/v1/jobs/${jobId}/playback`, body);

  it('plays a stream in the page that it names, until it is revoked', async () => {
    const { status, body } = await play(stream.jobId);
    const { hls = '', dash = '', embedUrl, ...rest } = body as Playback;
    expect({ status, ...rest }).toEqual({ status: 200, delivery: 'api', expiresAt: expect.any(String) });
    const [size] = readMasterPlaylist(await textOf(hls)).sizes;
    expect(readMediaPlaylist(await textOf(new URL(size?.playlist ?? '', hls).href)).segments).toHaveLength(4);
    expect(readDash(await textOf(dash)).videos).toHaveLength(3);

    const page = await fetch(embedUrl);
    expect(await page.text()).toContain('<video');
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-.*; frame-ancestors \*$/);
    expect(page.headers.get('set-cookie')).toBeNull();

    expect((await running.api('DELETE', `/api/v1/jobs/${stream.jobId}/playback`)).status).toBe(204);
    expect((await fetch(hls)).status).toBe(403);
    expect((await fetch(stream.outputs?.hls ?? '')).status).toBe(200);
  });

  it.each([
    ['an unknown output', { output: 'small' }, 'output'],
    ['a lifetime above a week', { expiresInSeconds: 604_801 }, 'expiresInSeconds'],
  ])('has an error at the field of %s', async (_, body, path) => {
    const answer = await play(stream.jobId, body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', details: [{ path }] } } });
  });
});

it('a sprite shows its images with the signed URL of its cues alone', async () => {
  const cues = await textOf(sprite.outputs?.vtt);
  const names = [...cues.matchAll(/^(\S+)#xywh=0,0,160,90$/gm)].map(([, name = '']) => name);
  expect(names).toHaveLength(2);
  for (const name of names) {
    const answer = await fetch(new URL(name, sprite.outputs?.vtt));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  }
});

// The clock of another server does not move.
describe.skipIf(inject('s3'))('after a pause of six hours', () => {
  it('a player goes on with the URLs that it has, and they end within a day', async () => {
    const { hls = '' } = stream.outputs ?? {};
    const [size] = readMasterPlaylist(await textOf(hls)).sizes;
    const url = new URL(size?.playlist ?? '', hls).href;
    const [segment] = readMediaPlaylist(await textOf(url)).segments;
    if (!segment) throw new Error('There is no segment');
    const leaked = await fetch(new URL(segment.file, url), { redirect: 'manual' });
    const location = leaked.headers.get('location') ?? '';
    expect((await fetch(location)).status).toBe(200);

    await clock.advance(6 * hourMs);
    expect((await fetch(location)).status).toBe(403);
    expect(await bytesOf(segment, url)).toHaveLength(segment.length);
    expect(readMasterPlaylist(await textOf(hls)).sizes).toHaveLength(3);

    await clock.advance(18 * hourMs);
    const ended = await Promise.all([hls, url, new URL(segment.file, url)].map((each) => fetch(each)));
    expect(ended.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('the URLs of a deleted job open nothing', async () => {
    const { outputs } = await read(stream.jobId);
    const urls = [outputs?.hls ?? '', new URL('stream_0.mp4', outputs?.hls).href + new URL(outputs?.hls ?? '').search];
    expect((await Promise.all(urls.map((url) => fetch(url)))).map(({ status }) => status)).toEqual([200, 200]);
    expect((await running.api('DELETE', `/api/v1/jobs/${stream.jobId}`)).status).toBe(204);
    expect((await Promise.all(urls.map((url) => fetch(url)))).map(({ status }) => status)).toEqual([404, 404]);
  });
});

async function submit(file: string, format: string, recipe: object): Promise<string> {
  const [input, webhookUrl] = [{ url: `${customer.origin}/${file}` }, `${customer.origin}/hook`];
  return (await submitJob(running.api, { input, output: { format }, recipe, webhookUrl })).jobId;
}

async function read(jobId: string): Promise<JobResource> {
  const job = await readJob(running.api, jobId);
  expect(job).toMatchObject({ state: 'completed' });
  return job;
}

/** Reads a URL without credentials. */
async function textOf(url: string | undefined): Promise<string> {
  const answer = await fetch(url ?? '');
  expect(answer.status).toBe(200);
  return answer.text();
}

/** A range of a file, as a player requests it. Names are relative to the playlist. */
async function bytesOf({ file, offset, length }: FileRange, playlist: string): Promise<Buffer> {
  const answer = await fetch(new URL(file, playlist), { headers: { range: `bytes=${offset}-${offset + length - 1}` } });
  expect(answer.status).toBe(206);
  return Buffer.from(await answer.arrayBuffer());
}
