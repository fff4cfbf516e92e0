import { describe, expect, it } from 'vitest';
import { atProvider, fileRoutes } from './file-routes.ts';
import { changed, own, set, urlOf } from './stored-set.ts';

const routes = await fileRoutes();
const { open } = routes;

describe('a HEAD', () => {
  it.each([own, atProvider])('answers the headers of the file, without a redirect: %s', async (jobId) => {
    const { status, headers } = await open(urlOf({ file: 'stream_0.mp4', scope: 'file', jobId }), 0, 'HEAD');
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': 'video/mp4',
        'content-length': String(Buffer.byteLength(set['stream_0.mp4'] ?? '')),
        'content-disposition': expect.stringContaining('film stream_0.mp4'),
        'accept-ranges': 'bytes',
      },
    ]);
  });

  it.each([own, atProvider])('of a playlist answers the length of what a GET returns: %s', async (jobId) => {
    const url = urlOf({ file: 'media_0.m3u8', jobId });
    const { text } = await open(url);
    const { status, headers } = await open(url, 0, 'HEAD');
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': 'application/vnd.apple.mpegurl',
        'content-length': String(Buffer.byteLength(text)),
        'accept-ranges': 'none',
      },
    ]);
  });

  it('is refused as a GET is', async () => {
    const url = urlOf({ file: 'stream_0.mp4' });
    expect((await open(changed(url, 's', 'A'.repeat(22)), 0, 'HEAD')).status).toBe(403);
  });
});
