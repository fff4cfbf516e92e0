// @module-tag streams
// @module-tag storage
import { readFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { aStreamingClip, readDash, readMasterPlaylist, readMediaPlaylist } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Playback } from '../../core/api/playback.ts';
import { anAssemblyWith } from '../builders/stage/assembly-with-settings.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

/** For the synthesis of a stage, its start and two streams. */
const setUpMs = 120_000;

let running: RunningStage;
let customer: WebServer;
let jobId: string;
let archivedJobId: string;

beforeAll(async () => {
  const video = await readFile(await aStreamingClip());
  const archive = { name: 'archive', bucket: 'archive-of-viewers', access: 'read-write', create: true, playback: true };
  const settings = { playback: { edge: true }, edge: { accessLogs: false }, buckets: [archive] };
  running = await aRunningStage({ assemblyDirectory: await anAssemblyWith(settings) });
  customer = await aWebServer((_, response) => response.end(video));
  [jobId = '', archivedJobId = ''] = await Promise.all([submit({}), submit({ storageProviderId: 'bucket:archive' })]);
}, setUpMs);

const play = async (id: string, body?: object) => {
  const answer = await running.api('POST', `/api/v1/jobs/${id}/playback`, body);
  expect(answer.status).toBe(200);
  return answer.body as Playback;
};
const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;
const maintain = () => running.stage.fireSchedules();

it('the API delivers until the edge has a key', async () => {
  expect(await play(jobId)).toMatchObject({ delivery: 'api' });
});

describe('the edge', () => {
  beforeAll(maintain);

  it.each([
    ['the media bucket', () => jobId, /^\/play\/[\w.-]+\/hls\.m3u8$/],
    ['a bucket of the account', () => archivedJobId, /^\/play\/[\w.-]+\/@archive\/hls\.m3u8$/],
  ])('plays a stream in %s by HLS and DASH, without the API', async (_, id, path) => {
    const { hls = '', dash = '', delivery } = await play(id());
    expect([delivery, new URL(hls).pathname]).toEqual(['edge', expect.stringMatching(path)]);
    running.stage.resetCalls();
    const master = await fetch(hls, { headers: { origin: 'https://player.example' } });
    expect(Object.fromEntries(master.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'content-type': 'application/vnd.apple.mpegurl',
    });
    const { sizes } = readMasterPlaylist(await master.text());
    const media = new URL(sizes[0]?.playlist ?? '', hls);
    const [segment] = readMediaPlaylist(await (await fetch(media)).text()).segments;
    const { offset = 0, length = 0, file = '' } = segment ?? {};
    const range = { range: `bytes=${offset}-${offset + length - 1}` };
    const part = await fetch(new URL(file, media), { headers: range });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, length]);
    expect(readDash(await (await fetch(dash)).text()).videos).toHaveLength(3);
    expect(running.stage.calls()).toMatchObject({ dynamodb: {}, s3: { GetObject: 4 } });
  });

  it('refuses every other path of a valid token', async () => {
    const { hls = '' } = await play(jobId);
    const base = hls.slice(0, -'hls.m3u8'.length);
    const other = (await play(archivedJobId)).hls ?? '';
    const walks = [
      ...['../hls.m3u8', '%2e%2e/hls.m3u8', '..%2fhls.m3u8', './hls.m3u8', 'hls%2em3u8', '.m3u8', '', 'a/hls.m3u8'],
      ...['@archive/hls.m3u8', 'missing.mp4', 'hls.m3u8/', '%68ls.m3u8', 'hls.m3u8%00', '//hls.m3u8', '\\hls.m3u8'],
    ];
    for (const walk of walks) expect([walk, await raw(base + walk)]).toEqual([walk, 403]);
    expect(await statusOf(other.replace('/@archive', ''))).toBe(403);
    expect(await statusOf(hls, { method: 'DELETE' })).toBe(403);
    expect(await statusOf(hls, { method: 'HEAD' })).toBe(200);
    expect(await statusOf(hls, { method: 'OPTIONS' })).toBe(204);
  });

  it('refuses the tokens that were made before a revocation, and no later ones', async () => {
    const before = await play(jobId);
    expect((await running.api('DELETE', `/api/v1/jobs/${jobId}/playback`)).status).toBe(204);
    expect(await statusOf(before.hls ?? '')).toBe(403);
    expect(await statusOf((await play(jobId)).hls ?? '')).toBe(200);
    expect(running.stage.calls().kvs.PutKey).toBe(1);
  });

  it('refuses the tokens of a deleted job', async () => {
    const { hls = '' } = await play(jobId);
    expect((await running.api('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(204);
    expect(await statusOf(hls)).toBe(403);
  });

  it('keeps its keys and revocations when it is maintained again', async () => {
    const { hls = '' } = await play(archivedJobId);
    running.stage.resetCalls();
    await maintain();
    expect(await statusOf(hls)).toBe(200);
    expect(running.stage.calls().kvs).toEqual({ ListKeys: 1 });
  });
});

/** The status of a path as it is written: fetch would resolve it. */
async function raw(url: string): Promise<number> {
  const { hostname, port, origin } = new URL(url);
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: url.slice(origin.length) }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once('error', reject).end();
  });
}

async function submit(output: object): Promise<string> {
  const { jobId: id } = await submitJob(running.api, {
    input: { url: `${customer.origin}/film.mp4` },
    output: { format: 'm3u8', ...output },
    recipe: { name: 'hls', segmentSeconds: 2 },
  });
  expect(await waitForJobEnd(running.api, id)).toMatchObject({ state: 'completed' });
  return id;
}
