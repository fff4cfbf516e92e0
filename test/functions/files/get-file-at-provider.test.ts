import { afterEach, expect, it, vi } from 'vitest';
import { logger } from '../../../adapters/runtime/logger.ts';
import { atProvider, fileRoutes, readStored } from './file-routes.ts';
import { set, urlOf } from './stored-set.ts';

const routes = await fileRoutes();
const { open, opened, provider } = routes;

afterEach(() => {
  vi.restoreAllMocks();
  provider.readText = readStored;
});

it('the URL of a set opens the files at a storage provider', async () => {
  const playlist = await open(urlOf({ file: 'media_0.m3u8', jobId: atProvider }));
  expect([playlist.status, playlist.text]).toEqual([200, expect.stringContaining('\nstream_0.mp4?o=')]);
  const { location } = await open(urlOf({ file: 'stream_0.mp4', jobId: atProvider }));
  expect(location).toBe('https://provider.example/videos/stream_0.mp4?name=film stream_0.mp4');
  expect(opened).toEqual(['sp_1', 'sp_1']);
});

it('a storage provider that hangs holds four requests for its playlists; further ones are UNAVAILABLE at once', async () => {
  const url = urlOf({ file: 'media_0.m3u8', jobId: atProvider });
  const hanging = Promise.withResolvers<string>();
  provider.readText = () => hanging.promise;
  vi.spyOn(logger, 'error').mockImplementation(() => {});
  const held = Array.from({ length: 4 }, () => open(url));
  expect(await open(url)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
  expect((await open(urlOf({ file: 'media_0.m3u8' }))).status).toBe(200);
  hanging.resolve(set['media_0.m3u8'] ?? '');
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  provider.readText = readStored;
  expect((await open(url)).status).toBe(200);
});

it('a request holds its permit until the playlist of a provider is rewritten', async () => {
  // Tests of this process share modules: the route is loaded again, with the spy.
  vi.resetModules();
  vi.doMock('@media-jobs/video/media', { spy: true });
  const { replaceReferences } = await import('@media-jobs/video/media');
  const spied = await import('./file-routes.ts');
  const fresh = await spied.fileRoutes();
  const rewritten = vi.mocked(replaceReferences).mockClear();
  const rewrittenWhenFreed: number[] = [];
  vi.spyOn(fresh.concurrency, 'leave').mockImplementation(async () => {
    rewrittenWhenFreed.push(rewritten.mock.results.length);
    return true;
  });
  await fresh.open(urlOf({ file: 'media_0.m3u8', jobId: atProvider }));
  vi.doUnmock('@media-jobs/video/media');
  vi.resetModules();
  expect(rewrittenWhenFreed).toEqual([1]);
});

it.each([
  ['is longer', (text: string) => `${text}\n`],
  ['has the same size and names no file of the set', (text: string) => 'a'.repeat(text.length)],
])('a text in place of a playlist at a provider that %s is NOT_FOUND, and no failure', async (_, replace) => {
  const logged = vi.spyOn(logger, 'error');
  provider.readText = async (key) => replace(await readStored(key));
  const { status, text } = await open(urlOf({ file: 'media_0.m3u8', jobId: atProvider }));
  expect([status, text]).toEqual([404, expect.stringContaining('no longer the one that this job wrote')]);
  expect(logged).not.toHaveBeenCalled();
});
