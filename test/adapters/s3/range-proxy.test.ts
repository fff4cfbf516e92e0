import { describe, expect, it } from 'vitest';
import { aMediaBucket } from '../../builders/storage/a-media-bucket.ts';
import { aRangeProxy } from '../../builders/storage/a-range-proxy.ts';

const clip = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
const unreachable = { code: 'INPUT_UNREACHABLE' };

/** A bucket with one object, and a proxy to it. */
async function aProxyToAClip(contentType?: string) {
  const bucket = await aMediaBucket();
  await bucket.put('uploads/clip', clip, contentType);
  const proxy = await aRangeProxy(bucket, { clip: { key: 'uploads/clip' } });
  return { bucket, proxy, url: proxy.urlOf('clip') };
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a proxy', () => {
  it.each([
    ['bytes=0-', 0, 1000],
    ['bytes=990-', 990, 1000],
    ['bytes=100-199', 100, 200],
    ['bytes=900-9999', 900, 1000],
  ])('answers %s with that range of the object', async (range, start, end) => {
    const { url } = await aProxyToAClip();
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/1000`);
    expect((await bytesOf(response)).equals(clip.subarray(start, end))).toBe(true);
  });

  it('answers a request without a range with the whole object, and advertises ranges', async () => {
    const { url } = await aProxyToAClip();
    const response = await fetch(url);
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect((await bytesOf(response)).equals(clip)).toBe(true);
  });

  it('answers HEAD without a request to S3', async () => {
    const { url, proxy } = await aProxyToAClip();
    const response = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=10-' } });
    expect([response.status, response.headers.get('content-length')]).toEqual([206, '990']);
    expect(proxy.traffic()).toEqual({ requests: 0, bytes: 0 });
  });

  it('answers 416 beyond the end of an object', async () => {
    const { url, proxy } = await aProxyToAClip();
    const response = await fetch(url, { headers: { range: 'bytes=1000-' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    expect(proxy.failure()).toBeUndefined();
  });

  it('serves an empty object', async () => {
    const bucket = await aMediaBucket();
    await bucket.put('empty', '');
    const proxy = await aRangeProxy(bucket, { empty: { key: 'empty' } });
    const response = await fetch(proxy.urlOf('empty'));
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('serves objects under any name', async () => {
    const bucket = await aMediaBucket();
    await bucket.put('a', 'found');
    const proxy = await aRangeProxy(bucket, { 'ü/../ 1?.mp4': { key: 'a' } });
    expect(await (await fetch(proxy.urlOf('ü/../ 1?.mp4'))).text()).toBe('found');
  });

  it('sends neither the type nor other metadata of an object', async () => {
    const { url } = await aProxyToAClip('application/vnd.apple.mpegurl');
    const { headers } = await fetch(url);
    const allowedHeaders = ['accept-ranges', 'connection', 'content-length', 'content-type', 'date', 'keep-alive'];
    expect([...headers.keys()]).toEqual(allowedHeaders);
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });

  it('counts requests to S3 and received bytes', async () => {
    const { url, proxy } = await aProxyToAClip();
    for (const range of ['bytes=0-9', 'bytes=990-']) await bytesOf(await fetch(url, { headers: { range } }));
    expect(proxy.traffic()).toEqual({ requests: 2, bytes: 20 });
  });
});

describe('a proxy serves nothing else', () => {
  it.each([
    ['another name', (url: string) => `${url}2`],
    ['no name', (url: string) => url.replace(/clip$/, '')],
    ['the key of an object', (url: string) => url.replace(/clip$/, 'uploads%2Fclip')],
    ['another token', (url: string) => url.replace(/\/[^/]+\/clip$/, '/guessed/clip')],
    ['the top', (url: string) => new URL('/', url).href],
    ['a query', (url: string) => `${url}?a=b`],
  ])('under %s', async (_, change) => {
    const { url } = await aProxyToAClip();
    const response = await fetch(change(url), { redirect: 'manual' });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('for %s', async (method) => {
    const { url } = await aProxyToAClip();
    expect((await fetch(url, { method })).status).toBe(404);
    expect(await (await fetch(url)).arrayBuffer()).toHaveProperty('byteLength', 1000);
  });

  it('that a caller could request by mistake', async () => {
    const { proxy } = await aProxyToAClip();
    expect(() => proxy.urlOf('toString')).toThrow(RangeError);
  });
});

describe('an object', () => {
  it('that is missing cannot be served', async () => {
    const opening = aRangeProxy(await aMediaBucket(), { clip: { key: 'uploads/clip' } });
    await expect(opening).rejects.toMatchObject({ ...unreachable, retryable: false });
  });

  it('that has another version than required cannot be served', async () => {
    const bucket = await aMediaBucket();
    const etag = await bucket.put('clip', 'one');
    await aRangeProxy(bucket, { clip: { key: 'clip', etag } });
    await bucket.put('clip', 'two');
    const opening = aRangeProxy(bucket, { clip: { key: 'clip', etag } });
    await expect(opening).rejects.toMatchObject({ ...unreachable, retryable: true });
  });

  it('that is replaced is never read in two versions', async () => {
    const { bucket, proxy, url } = await aProxyToAClip();
    await bytesOf(await fetch(url, { headers: { range: 'bytes=0-99' } }));
    await bucket.put('uploads/clip', Buffer.alloc(1000));
    await expect(fetch(url, { headers: { range: 'bytes=100-' } }).then(bytesOf)).rejects.toThrow();
    expect(proxy.failure()).toMatchObject({ ...unreachable, retryable: true });
    expect(proxy.signal.reason).toBe(proxy.failure());
  });
});

describe('a closed proxy', () => {
  it('accepts no connection', async () => {
    const { proxy, url } = await aProxyToAClip();
    await proxy.close();
    await expect(fetch(url)).rejects.toThrow();
    await proxy.close();
    expect(proxy.failure()).toBeUndefined();
  });

  it('results from an aborted signal', async () => {
    const bucket = await aMediaBucket();
    await bucket.put('clip', clip);
    const cancelled = new AbortController();
    const proxy = await aRangeProxy(bucket, { clip: { key: 'clip' } }, { signal: cancelled.signal });
    const url = proxy.urlOf('clip');
    expect(await (await fetch(url)).arrayBuffer()).toHaveProperty('byteLength', 1000);
    cancelled.abort(new Error('cancelled'));
    expect(proxy.signal.reason).toEqual(new Error('cancelled'));
    await expect(fetch(url)).rejects.toThrow();
  });
});
