import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aWebServer, type WebServer } from '../builders/http/web-server.ts';
import {
  type FileRange,
  readDash,
  readMasterPlaylist,
  readMediaPlaylist,
  readSegmentIndex,
} from '../builders/measure/read-manifests.ts';
import { clipWith } from '../builders/media/clips.ts';
import { aStreamingClip } from '../builders/media/streaming-clip.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

let running: RunningStage;
let customer: WebServer;
let stream: JobResource;
let pictures: JobResource;

beforeAll(async () => {
  const [film, clip] = await Promise.all(
    [aStreamingClip(), clipWith()].map(async (path) => readFile(await path)),
  );
  running = await aRunningStage();
  customer = await aWebServer(({ path }, response) => {
    response.writeHead(200).end(path === '/film.mp4' ? film : path === '/clip.mp4' ? clip : undefined);
  });
  const jobs = await Promise.all([
    submit('film.mp4', 'm3u8', { name: 'hls', segmentSeconds: 2 }),
    submit('clip.mp4', 'jpg', { name: 'sprite', every: 1, columns: 1, rows: 1 }),
  ]);
  await customer.seen(2, '/hook');
  [stream, pictures] = (await Promise.all(jobs.map(read))) as [JobResource, JobResource];
});

afterAll(async () => {
  await customer?.close();
  await running?.stop();
});

describe('a stream', () => {
  it('plays by HLS with its signed URL alone', async () => {
    const { sizes, sound, keyframes } = readMasterPlaylist(await textOf(stream.outputs?.hls));
    expect(sizes).toMatchObject([{ height: 480 }, { height: 240 }, { height: 360 }]);
    for (const playlist of [...[...sizes, ...keyframes].map((size) => size.playlist), sound]) {
      const { beginning, segments } = readMediaPlaylist(await textOf(playlist));
      expect(segments).toHaveLength(4);
      expect((await bytesOf(beginning)).toString('latin1', 4, 8)).toBe('ftyp');
      for (const segment of segments) {
        const bytes = await bytesOf(segment);
        expect([bytes.length, bytes.toString('latin1', 4, 8)]).toEqual([segment.length, 'moof']);
      }
    }
  });

  it('plays by DASH with its signed URL alone', async () => {
    const { pictures: sizes, sounds } = readDash(await textOf(stream.outputs?.dash));
    expect([sizes.length, sounds.length]).toEqual([3, 1]);
    for (const { index } of [...sizes, ...sounds]) {
      const box = await bytesOf(index);
      const [first] = readSegmentIndex(box, index.offset + index.length);
      if (!first) throw new Error('There is no segment');
      const fragment = await bytesOf({ ...first, file: index.file });
      expect([box, fragment].map((bytes) => bytes.toString('latin1', 4, 8))).toEqual(['sidx', 'moof']);
    }
  });

  it('may be played by any origin, and is cached by no one', async () => {
    const answer = await fetch(stream.outputs?.hls ?? '', { headers: { origin: 'https://player.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
  });

  it('is downloaded as stored by the URL in its record', async () => {
    const text = await (await fetch(stream.output_files?.hls?.storage_url ?? '')).text();
    expect(readMasterPlaylist(text)).toMatchObject({ sizes: [{ playlist: 'media_0.m3u8' }, {}, {}] });
    expect(stream.output_files?.hls).toMatchObject({ file_type: 'playlist', file_format: 'm3u8' });
  });

  it('has playable URLs in its webhook', async () => {
    const bodies = (await customer.seen(2, '/hook')).map(({ body }) => JSON.parse(body));
    const { data } = bodies.find((body) => body.data.jobId === stream.jobId);
    expect(new URL(data.outputs.hls).origin).toBe(running.stage.baseUrl);
    expect(readMasterPlaylist(await textOf(data.outputs.hls)).sizes).toHaveLength(3);
  });

  it('is rejected for a changed URL', async () => {
    const other = new URL(stream.outputs?.hls ?? '');
    other.searchParams.set('X-Amz-Expires', '86400');
    const answer = await fetch(other);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: { code: 'FORBIDDEN' } });
  });
});

describe('a sprite', () => {
  it('shows its images with the signed URL of its cues alone', async () => {
    const cues = await textOf(pictures.outputs?.vtt);
    const urls = [...cues.matchAll(/^(http\S+)#xywh=0,0,160,90$/gm)].map(([, url = '']) => url);
    expect(urls).toHaveLength(2);
    for (const url of urls) {
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    }
  });
});

async function submit(file: string, format: string, recipe: object): Promise<string> {
  const { status, body } = await running.api('POST', '/api/v1/jobs', {
    mode: 'recipe',
    input: { url: `${customer.origin}/${file}` },
    output: { format },
    recipe,
    webhookUrl: `${customer.origin}/hook`,
  });
  expect(status).toBe(201);
  return (body as JobResource).jobId;
}

async function read(jobId: string): Promise<JobResource> {
  const { body } = await running.api('GET', `/api/v1/jobs/${jobId}`);
  expect(body).toMatchObject({ state: 'completed' });
  return body as JobResource;
}

/** What anybody reads at a URL. */
async function textOf(url: string | undefined): Promise<string> {
  const answer = await fetch(url ?? '');
  expect(answer.status).toBe(200);
  return answer.text();
}

/** A part of a file, as a player asks for it. */
async function bytesOf({ file, offset, length }: FileRange): Promise<Buffer> {
  const answer = await fetch(file, { headers: { range: `bytes=${offset}-${offset + length - 1}` } });
  expect(answer.status).toBe(206);
  return Buffer.from(await answer.arrayBuffer());
}
