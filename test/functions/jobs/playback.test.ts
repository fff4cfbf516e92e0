import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Playback } from '../../../core/api/playback.ts';
import { createPlaybackContract } from '../../../core/api/playback.ts';
import { formatEdgeKey } from '../../../core/playback/edge-store.ts';
import { createPlayback, revokePlayback } from '../../../functions/jobs/playback.ts';
import { memoryPlaybackRecords } from '../../../lab/simulation/memory/playback-records.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { start } from '../../builders/jobs/jobs.ts';
import { fileRoutes } from '../files/file-routes.ts';
import { hour, own, urlOf } from '../files/stored-set.ts';

const { open, jobs, playbacks } = await fileRoutes();
const publicUrl = 'https://media.example';
let seconds = 0;
let tests = 0;

beforeEach(() => {
  seconds = ++tests * 60;
});

const deps = {
  jobs,
  playbacks,
  files: { publicUrl },
  clock: { now: () => new Date(start.getTime() + seconds * 1000) },
};
const params = { id: own };
const ref = { ownerId: 'owner-1', jobId: own ?? '' };

async function play(body: object = {}): Promise<Playback> {
  const parsed = createPlaybackContract.body.parse(body);
  return (await callRoute(createPlayback(deps), { params, body: parsed })).body as Playback;
}
const revoke = () => callRoute(revokePlayback(deps), { params });

describe('a playback', () => {
  it('has the URLs of a stream, and a page that gets their paths', async () => {
    const { hls = '', dash, embedUrl, expiresAt, delivery } = await play();
    expect({ expiresAt, delivery }).toEqual({
      expiresAt: new Date(start.getTime() + (seconds + 6 * hour) * 1000).toISOString(),
      delivery: 'api',
    });
    expect(hls.length).toBeLessThanOrEqual(250);
    const { pathname, hash } = new URL(embedUrl);
    const parts = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    expect([pathname, publicUrl + parts.hls, publicUrl + parts.dash]).toEqual(['/embed', hls, dash]);
  });

  it('opens its whole stream until it ends, and no longer than asked', async () => {
    const { hls = '' } = await play({ expiresInSeconds: 60 });
    expect((await open(hls, seconds)).status).toBe(200);
    expect((await open(hls.replace('hls.m3u8', 'stream_0.mp4'), seconds + 59)).status).toBe(302);
    expect((await open(hls, seconds + 60)).status).toBe(403);
    expect((await open(hls.replace('/output/', '/other/'), seconds)).status).toBe(403);
  });

  it('does not outlive its files', async () => {
    const job = await jobs.get(ref);
    const end = Date.parse((job?.state === 'completed' && job.filesExpireAt) || '') - start.getTime();
    seconds = Math.floor(end / 1000) - 100;
    const { expiresAt } = await play({ expiresInSeconds: 604_800 });
    expect(Date.parse(expiresAt) - start.getTime()).toBe((seconds + 100) * 1000);
  });
});

it('a revocation ends the URLs that were made before, and no download', async () => {
  const download = urlOf({ file: 'hls.m3u8' });
  const before = await play();
  await revoke();
  expect((await open(before.hls ?? '', seconds)).status).toBe(403);
  expect((await open(download, seconds)).status).toBe(200);
  const after = await play();
  expect((await open(after.hls ?? '', seconds)).status).toBe(200);
  // Its signature needs the record until then.
  const { tokensUntil = '' } = await playbacks.get(ref);
  expect(tokensUntil >= after.expiresAt).toBe(true);
  seconds += 1;
  await revoke();
  expect((await open(after.hls ?? '', seconds)).status).toBe(403);
});

it('a first token is made after a revocation that found none', async () => {
  const records = memoryPlaybackRecords();
  const edge = { get: async () => formatEdgeKey({ madeAt: start, secret: 'secret' }), put: vi.fn() };
  const revokeFirst: typeof records.raise = async (...change) => {
    await callRoute(revokePlayback({ ...deps, playbacks: records, edge }), { params });
    await records.raise(...change);
  };
  const body = createPlaybackContract.body.parse({});
  const racing = createPlayback({ ...deps, playbacks: { ...records, raise: revokeFirst }, edge });
  const { hls = '' } = (await callRoute(racing, { params, body })).body as Playback;
  const [, issued = ''] = Buffer.from(/\/play\/([\w-]+)/.exec(hls)?.[1] ?? '', 'base64url')
    .toString()
    .split('~');
  const { revokedAt = '' } = await records.get(ref);
  expect(edge.put).not.toHaveBeenCalled();
  expect(Number.parseInt(issued, 36)).toBeGreaterThan(Date.parse(revokedAt));
});

it.each([[59], [604_801], [1.5], ['60']])('a lifetime of %s is invalid', async (expiresInSeconds) => {
  await expect(play({ expiresInSeconds })).rejects.toThrow();
});
