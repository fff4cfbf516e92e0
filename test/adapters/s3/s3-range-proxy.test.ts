import { describe, expect, it } from 'vitest';
import { aMediaBucket } from '../../builders/storage/a-media-bucket.ts';
import { anS3RangeProxy } from '../../builders/storage/an-s3-range-proxy.ts';

const film = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
const unreachable = { code: 'INPUT_UNREACHABLE' };

/** A bucket with one object, and a proxy to it. */
async function aDoorToAFilm(contentType?: string) {
  const bucket = await aMediaBucket();
  await bucket.put('uploads/film', film, contentType);
  const door = await anS3RangeProxy(bucket, { film: { key: 'uploads/film' } });
  return { bucket, door, url: door.urlOf('film') };
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a proxy', () => {
  it.each([
    ['bytes=0-', 0, 1000],
    ['bytes=990-', 990, 1000],
    ['bytes=100-199', 100, 200],
    ['bytes=900-9999', 900, 1000],
  ])('answers %s with that range of the object', async (range, start, end) => {
    const { url } = await aDoorToAFilm();
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/1000`);
    expect((await bytesOf(response)).equals(film.subarray(start, end))).toBe(true);
  });

  it('answers a request without a range with the whole object, and advertises ranges', async () => {
    const { url } = await aDoorToAFilm();
    const response = await fetch(url);
    expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    expect((await bytesOf(response)).equals(film)).toBe(true);
  });

  it('answers HEAD without a request to S3', async () => {
    const { url, door } = await aDoorToAFilm();
    const response = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=10-' } });
    expect([response.status, response.headers.get('content-length')]).toEqual([206, '990']);
    expect(door.traffic()).toEqual({ requests: 0, bytes: 0 });
  });

  it('answers 416 beyond the end of an object', async () => {
    const { url, door } = await aDoorToAFilm();
    const response = await fetch(url, { headers: { range: 'bytes=1000-' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    expect(door.failure()).toBeUndefined();
  });

  it('serves an empty object', async () => {
    const bucket = await aMediaBucket();
    await bucket.put('empty', '');
    const door = await anS3RangeProxy(bucket, { empty: { key: 'empty' } });
    const response = await fetch(door.urlOf('empty'));
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('serves objects under any name', async () => {
    const bucket = await aMediaBucket();
    await bucket.put('a', 'found');
    const door = await anS3RangeProxy(bucket, { 'ü/../ 1?.mp4': { key: 'a' } });
    expect(await (await fetch(door.urlOf('ü/../ 1?.mp4'))).text()).toBe('found');
  });

  it('sends neither the type nor other metadata of an object', async () => {
    const { url } = await aDoorToAFilm('application/vnd.apple.mpegurl');
    const { headers } = await fetch(url);
    const told = ['accept-ranges', 'connection', 'content-length', 'content-type', 'date', 'keep-alive'];
    expect([...headers.keys()]).toEqual(told);
    expect(headers.get('content-type')).toBe('application/octet-stream');
  });

  it('counts requests to S3 and received bytes', async () => {
    const { url, door } = await aDoorToAFilm();
    for (const range of ['bytes=0-9', 'bytes=990-']) await bytesOf(await fetch(url, { headers: { range } }));
    expect(door.traffic()).toEqual({ requests: 2, bytes: 20 });
  });
});

describe('a proxy serves nothing else', () => {
  it.each([
    ['another name', (url: string) => `${url}2`],
    ['no name', (url: string) => url.replace(/film$/, '')],
    ['the key of an object', (url: string) => url.replace(/film$/, 'uploads%2Ffilm')],
    ['another token', (url: string) => url.replace(/\/[^/]+\/film$/, '/guessed/film')],
    ['the top', (url: string) => new URL('/', url).href],
    ['a query', (url: string) => `${url}?a=b`],
  ])('under %s', async (_, change) => {
    const { url } = await aDoorToAFilm();
    const response = await fetch(change(url), { redirect: 'manual' });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('for %s', async (method) => {
    const { url } = await aDoorToAFilm();
    expect((await fetch(url, { method })).status).toBe(404);
    expect(await (await fetch(url)).arrayBuffer()).toHaveProperty('byteLength', 1000);
  });

  it('that a caller could request by mistake', async () => {
    const { door } = await aDoorToAFilm();
    expect(() => door.urlOf('toString')).toThrow(RangeError);
  });
});

describe('an object', () => {
  it('that is missing cannot be served', async () => {
    const opening = anS3RangeProxy(await aMediaBucket(), { film: { key: 'uploads/film' } });
    await expect(opening).rejects.toMatchObject({ ...unreachable, retryable: false });
  });

  it('that has another version than required cannot be served', async () => {
    const bucket = await aMediaBucket();
    const etag = await bucket.put('film', 'one');
    await anS3RangeProxy(bucket, { film: { key: 'film', etag } });
    await bucket.put('film', 'two');
    const opening = anS3RangeProxy(bucket, { film: { key: 'film', etag } });
    await expect(opening).rejects.toMatchObject({ ...unreachable, retryable: true });
  });

  it('that is replaced is never read in two versions', async () => {
    const { bucket, door, url } = await aDoorToAFilm();
    await bytesOf(await fetch(url, { headers: { range: 'bytes=0-99' } }));
    await bucket.put('uploads/film', Buffer.alloc(1000));
    await expect(fetch(url, { headers: { range: 'bytes=100-' } }).then(bytesOf)).rejects.toThrow();
    expect(door.failure()).toMatchObject({ ...unreachable, retryable: true });
    expect(door.signal.reason).toBe(door.failure());
  });
});

describe('a closed proxy', () => {
  it('accepts no connection', async () => {
    const { door, url } = await aDoorToAFilm();
    await door.close();
    await expect(fetch(url)).rejects.toThrow();
    await door.close();
    expect(door.failure()).toBeUndefined();
  });

  it('results from an aborted signal', async () => {
    const bucket = await aMediaBucket();
    await bucket.put('film', film);
    const cancelled = new AbortController();
    const door = await anS3RangeProxy(bucket, { film: { key: 'film' } }, { signal: cancelled.signal });
    const url = door.urlOf('film');
    expect(await (await fetch(url)).arrayBuffer()).toHaveProperty('byteLength', 1000);
    cancelled.abort(new Error('cancelled'));
    expect(door.signal.reason).toEqual(new Error('cancelled'));
    await expect(fetch(url)).rejects.toThrow();
  });
});
