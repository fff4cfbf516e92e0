import { truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { JobError } from '@media-jobs/video/errors';
import { afterEach, describe, expect, it } from 'vitest';
import { type Network, systemNetwork } from '../../../adapters/http/open-connection.ts';
import { objectStore } from '../../../adapters/storage/object-store.ts';
import type { ObjectStore } from '../../../core/storage/object-store.ts';
import { aProviderClient } from '../../builders/storage/a-provider-client.ts';
import { aProviderServer } from '../../builders/storage/a-provider-server.ts';

const server = await aProviderServer({ bucket: 'bucket-of-a-customer' });
const directory = await aTemporaryFolder();
afterEach(() => server.failWith());

const signal = new AbortController().signal;
const pacing = { sleep: async () => undefined, random: Math.random };
const storeAt = (options?: Parameters<typeof aProviderClient>[1]) =>
  objectStore(aProviderClient(server, options), undefined, pacing);

async function upload(store: ObjectStore, key: string, bytes: Buffer, mark = 'job-1/1') {
  const path = join(directory, key.replaceAll('/', '-'));
  await writeFile(path, bytes);
  const begun = await store.begin({ key, mimeType: 'video/mp4', mark }, signal);
  const etags = await store.send(begun, { path, signal, onProgress: () => undefined });
  return { ...begun, etags, sizeBytes: bytes.length };
}

async function failureOf(act: Promise<unknown>): Promise<JobError> {
  const error = await act.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof JobError)) throw new Error(`Expected a JobError, found ${String(error)}`);
  return error;
}

describe('an object store at a provider that rejects new checksums', () => {
  it('shows a multipart file only after its upload is completed, and completes it twice without an error', async () => {
    const store = storeAt();
    const bytes = Buffer.alloc(17 * 1024 * 1024, 'video');
    const file = await upload(store, 'a/video.mp4', bytes);
    expect(await server.objects()).not.toContain('a/video.mp4');
    await store.complete(file, 'job-1/1');
    await store.complete(file, 'job-1/1');
    const { Body, ContentType } = await server.client.send(
      new GetObjectCommand({ Bucket: server.bucket, Key: 'a/video.mp4' }),
    );
    expect(ContentType).toBe('video/mp4');
    expect(Buffer.from((await Body?.transformToByteArray()) ?? []).equals(bytes)).toBe(true);
  });

  it('aborts uploads, also those without a stored upload id', async () => {
    const store = storeAt();
    const file = await upload(store, 'b/one.mp4', Buffer.from('one'));
    await store.abort(file);
    await store.abort(file);
    await store.begin({ key: 'b/lost.mp4', mimeType: 'video/mp4', mark: 'job-1/1' }, signal);
    for (const lost of await store.unfinished('b/lost.mp4')) await store.abort(lost);
    expect(await server.unfinishedUploads()).toEqual([]);
    await expect(store.complete(file, 'job-1/1')).rejects.toMatchObject({ code: 'UPLOAD_ERROR' });
  });

  it('removes only an object with its own mark', async () => {
    const store = storeAt();
    await store.complete(await upload(store, 'c/same.mp4', Buffer.from('winner'), 'job-1/2'), 'job-1/2');
    await store.remove('c/same.mp4', 'job-1/1');
    expect(await server.objects()).toContain('c/same.mp4');
    await store.remove('c/same.mp4', 'job-1/2');
    expect(await server.objects()).not.toContain('c/same.mp4');
  });

  it('reports the error code of the provider, and nothing else from its response', async () => {
    server.failWith(() => ({ status: 403, code: 'QuotaExceeded' }));
    const store = storeAt();
    const error = await failureOf(store.begin({ key: 'd', mimeType: 'video/mp4', mark: 'm' }, signal));
    expect([error.code, error.retryable, error.message]).toEqual([
      'UPLOAD_ERROR',
      false,
      'The files could not be stored: the provider answered QuotaExceeded (403).',
    ]);
  });

  it('says what an answer lacks', async () => {
    const access = aProviderClient(server);
    Object.assign(access.client, { send: async () => ({}) });
    const store = objectStore(access, undefined, pacing);
    const begun = await failureOf(store.begin({ key: 'd', mimeType: 'video/mp4', mark: 'm' }, signal));
    expect(begun.message).toBe('The storage provider answered without an upload id.');
    const path = join(directory, 'd');
    await writeFile(path, 'bytes');
    const upload = { key: 'd', uploadId: 'upload-1' };
    const sent = await failureOf(store.send(upload, { path, signal, onProgress: () => undefined }));
    expect(sent.message).toBe('The storage provider answered without the ETag of a part.');
  });

  it('repeats a request after a 5xx, with pauses of up to 8 s that are random', async () => {
    const sleeps: number[] = [];
    let requests = 0;
    server.failWith(() => (++requests % 6 === 0 ? undefined : { status: 503, code: 'SlowDown' }));
    const paced = { sleep: async (ms: number) => void sleeps.push(ms), random: () => 0.5 };
    const store = objectStore(aProviderClient(server), undefined, paced);
    const file = await upload(store, 'e/slow.mp4', Buffer.from('bytes'));
    expect(requests).toBe(12);
    expect(sleeps).toEqual([250, 500, 1_000, 2_000, 4_000, 250, 500, 1_000, 2_000, 4_000]);
    server.failWith();
    await store.abort(file);
  });

  it('sends a file of 200 GiB in parts that S3 allows, the largest that a Fargate task can write', async () => {
    const lengths: number[] = [];
    server.failWith(({ url = '', headers }) => {
      if (!url.includes('partNumber')) return undefined;
      lengths.push(Number(headers['content-length']));
      return { status: 403, code: 'QuotaExceeded' };
    });
    const store = storeAt();
    const path = join(directory, 'sparse.mov');
    await writeFile(path, '');
    await truncate(path, 200 * 1024 ** 3);
    const begun = await store.begin({ key: 'sparse.mov', mimeType: 'video/quicktime', mark: 'm' }, signal);
    await failureOf(store.send(begun, { path, signal, onProgress: () => undefined }));
    expect(Math.ceil((200 * 1024 ** 3) / (lengths[0] ?? 0))).toBeLessThanOrEqual(10_000);
    await store.abort(begun);
  });

  it('sends a part six times at most', async () => {
    const parts: string[] = [];
    server.failWith(({ url = '' }) => {
      const [, part] = /partNumber=(\d)/.exec(url) ?? [];
      if (part === undefined) return undefined;
      parts.push(part);
      return { status: 500, code: 'InternalError' };
    });
    const store = storeAt();
    const error = await failureOf(upload(store, 'e/broken.mp4', Buffer.from('bytes')));
    expect([error.code, error.retryable, parts]).toEqual(['UPLOAD_ERROR', true, Array(6).fill('1')]);
  });
});

describe('a hostile provider', () => {
  it('at an address that is not public gets no connection', async () => {
    const store = storeAt({ reachable: [] });
    const error = await failureOf(store.begin({ key: 'k', mimeType: 'a/b', mark: 'm' }, signal));
    expect(error.message).toContain('leads to an address that is not public');
  });

  it('whose name resolves to a private address after its first answer gets no second connection', async () => {
    const { port } = new URL(server.endpoint);
    const dialled: string[][] = [];
    let lookups = 0;
    const rebinding: Network = {
      ...systemNetwork,
      resolve: async () => [++lookups === 1 ? '203.0.114.1' : '10.0.0.1'],
      dial({ addresses }) {
        dialled.push(addresses);
        return connect(Number(port), '127.0.0.1');
      },
    };
    const access = aProviderClient(server, {
      endpoint: `http://rebound.example:${port}`,
      reachable: [],
      network: rebinding,
    });
    const store = objectStore(access, undefined, pacing);
    await store.unfinished('j/first.mp4');
    // Closes the connection that was kept open.
    access.client.destroy();
    const error = await failureOf(store.unfinished('j/second.mp4'));
    expect(error.message).toContain('leads to an address that is not public');
    expect(dialled).toEqual([['203.0.114.1']]);
  });

  it('that redirects is not followed', async () => {
    const target = await aWebServer((_, response) => response.end());
    const redirecting = await aWebServer((_, response) => {
      response.writeHead(307, { location: target.origin }).end();
    });
    const store = storeAt({ endpoint: redirecting.origin });
    await failureOf(store.begin({ key: 'k', mimeType: 'a/b', mark: 'm' }, signal));
    expect(target.requests).toEqual([]);
  });

  it('that answers an error of 100 MB is read up to a limit', async () => {
    let sent = 0;
    const endless = await aWebServer(async (_, response) => {
      response.writeHead(400, { 'content-type': 'application/xml' });
      const block = Buffer.alloc(1024 * 1024, ' ');
      while (sent < 100 && !response.destroyed) {
        sent += 1;
        if (!response.write(block))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
      }
      response.end();
    });
    const store = storeAt({ endpoint: endless.origin });
    const error = await failureOf(store.begin({ key: 'k', mimeType: 'a/b', mark: 'm' }, signal));
    expect([error.code, sent < 100]).toEqual(['UPLOAD_ERROR', true]);
  });

  it.each([
    ['in one piece', [`<!doctype html>${'<!DOCTYPE>'.repeat(40_000)}`]],
    ['in chunks', ['<?xml version="1.0"?><!DOC', `TYPE>${'<!DOCTYPE>'.repeat(40_000)}`]],
  ])('that answers document types %s is not parsed', async (_, chunks) => {
    const costly = await aWebServer(async (_, response) => {
      response.writeHead(500, { 'content-type': 'application/xml' });
      for (const chunk of chunks) response.write(chunk);
      response.end();
    });
    const store = storeAt({ endpoint: costly.origin });
    const error = await failureOf(store.begin({ key: 'k', mimeType: 'a/b', mark: 'm' }, signal));
    expect(error.message).toContain('a response that is not one of S3');
  });

  it('that hangs ends with the signal of the worker', async () => {
    const hanging = await aWebServer(() => new Promise(() => undefined));
    const store = storeAt({ endpoint: hanging.origin });
    const path = join(directory, 'hangs');
    await writeFile(path, 'bytes');
    const stop = new AbortController();
    const upload = { key: 'g', uploadId: 'upload-1' };
    const sending = store.send(upload, { path, signal: stop.signal, onProgress: () => undefined });
    const reason = new Error('The lease is lost');
    stop.abort(reason);
    await expect(sending).rejects.toBe(reason);
  });

  it('that hangs at the end of an upload ends with the signal of the worker', async () => {
    const dripping = await aWebServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      const drip = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(drip));
    });
    const store = storeAt({ endpoint: dripping.origin });
    const stop = new AbortController();
    const file = { key: 'g', uploadId: 'upload-1', etags: ['"etag"'], sizeBytes: 1 };
    const completing = store.complete(file, 'job-1/1', stop.signal);
    const reason = new Error('The time is over');
    setTimeout(() => stop.abort(reason), 200);
    await expect(completing).rejects.toBe(reason);
  });

  it('that is full half-way shows nothing, and its upload can be ended', async () => {
    server.failWith((request) =>
      request.url?.includes('partNumber=2') ? { status: 403, code: 'QuotaExceeded' } : undefined,
    );
    const store = storeAt();
    const error = await failureOf(upload(store, 'h/full.mp4', Buffer.alloc(17 * 1024 * 1024)));
    expect(error.message).toBe('The files could not be stored: the provider answered QuotaExceeded (403).');
    expect(await server.objects()).not.toContain('h/full.mp4');
    const [left] = await store.unfinished('h/full.mp4');
    if (left === undefined) throw new Error('Expected an unfinished upload');
    await store.abort(left);
    expect(await server.unfinishedUploads()).not.toContain('h/full.mp4');
  });

  it('that answers a false ETag shows nothing', async () => {
    const store = storeAt();
    const file = await upload(store, 'i/etag.mp4', Buffer.from('bytes'));
    const error = await failureOf(store.complete({ ...file, etags: [`"${'0'.repeat(32)}"`] }, 'job-1/1'));
    expect([error.code, error.message]).toEqual([
      'UPLOAD_ERROR',
      'The files could not be stored: the provider answered InvalidPart (400).',
    ]);
    expect(await server.objects()).not.toContain('i/etag.mp4');
    await store.abort(file);
  });

  it('that stored other lengths than it was sent fails the job', async () => {
    const store = storeAt();
    const file = await upload(store, 'f/short.mp4', Buffer.from('short'));
    await expect(store.complete({ ...file, sizeBytes: 6 }, 'job-1/1')).rejects.toMatchObject({
      message: 'The storage provider stored 5 bytes; 6 bytes were sent.',
    });
  });
});
