import { once } from 'node:events';
import { expect, it } from 'vitest';
import { readObject } from '../../../adapters/s3/read-object.ts';
import { anS3ClientAt } from '../../builders/storage/a-media-bucket.ts';
import { anHttpServer } from '../http/builders/servers.ts';
import { aStore } from './builders/fake-s3.ts';

it('resumes where a storage is overloaded for longer than the SDK retries', async () => {
  const clip = Buffer.alloc(300_000, 'clip');
  const statuses: number[] = [];
  const port = await anHttpServer(({ headers }, response) => {
    const [, first = '0'] = /^bytes=(\d+)-/.exec(headers.range ?? '') ?? [];
    const rest = clip.subarray(Number(first));
    const status = statuses.length > 0 && statuses.length < 7 ? 503 : 206;
    statuses.push(status);
    if (status === 503) return response.writeHead(503).end();
    response.writeHead(206, { 'content-length': rest.length, etag: '"one"' });
    if (statuses.length > 1) return response.end(rest);
    return response.write(rest.subarray(0, 100_000), () => response.destroy());
  });
  const store = { client: anS3ClientAt(`http://127.0.0.1:${port}`), bucket: 'media' };
  const range = { key: 'clip', start: 0, end: clip.length, etag: '"one"' };
  const chunks: Buffer[] = [];
  for await (const chunk of readObject(store, range, { signal: new AbortController().signal })) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(clip)).toBe(true);
});

it('resumes as often as connections end that have brought a megabyte', async () => {
  const clip = Buffer.alloc(30 * 1024 * 1024, 'clip');
  const store = await aStore(clip, ({ rest, response }) => {
    if (rest.length <= 3_000_000) response.end(rest);
    else response.write(rest.subarray(0, 3_000_000), () => response.destroy());
  });
  const part = { key: 'clip', start: 0, end: clip.length, etag: '"one"' };
  let bytes = 0;
  for await (const chunk of readObject(store, part, { signal: new AbortController().signal })) {
    bytes += chunk.length;
  }
  expect(bytes).toBe(clip.length);
  expect(store.requests.length).toBeGreaterThan(7);
});

it('a slow reader resumes however often its connection is closed', async () => {
  // More than the buffers between S3 and the reader hold.
  const clip = Buffer.alloc(64 * 1024 * 1024, 'clip');
  const closed: Promise<unknown>[] = [];
  const store = await aStore(
    clip,
    ({ rest, response }) => {
      closed.push(once(response, 'close'));
      response.end(rest);
    },
    { socketTimeout: 250 },
  );
  const part = { key: 'clip', start: 0, end: clip.length, etag: '"one"' };
  let bytes = 0;
  for await (const chunk of readObject(store, part, { signal: new AbortController().signal })) {
    expect(chunk.equals(clip.subarray(bytes, bytes + chunk.length))).toBe(true);
    bytes += chunk.length;
    if (closed.length <= 7) await closed.at(-1);
  }
  expect(bytes).toBe(clip.length);
  expect(store.requests.length).toBeGreaterThan(7);
});
