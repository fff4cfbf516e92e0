import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { downloadInput } from '../../../adapters/http/download-input.ts';
import { type Network, systemNetwork } from '../../../adapters/http/open-connection.ts';
import { downloads } from './builders/downloads.ts';
import { answerHead, rangeOf } from './builders/file-server.ts';
import { anHttpServer } from './builders/servers.ts';

const { path, aDownload, downloadFrom, failureOf } = downloads();

describe('a dropped connection', () => {
  const file = randomBytes(400_000);

  /** Drops the first connections after the given shares of bytes, then serves completely. */
  function dropping(shares: number[], headers?: Record<string, string>) {
    const ranges: (string | undefined)[] = [];
    const listener: RequestListener = (request, response) => {
      ranges.push(request.headers.range);
      const { start, end } = answerHead({ request, response }, file, headers);
      const share = shares.shift();
      if (share === undefined) return response.end(file.subarray(start, end));
      return response.write(file.subarray(start, start + Math.floor((end - start) * share)), () =>
        request.socket.destroy(),
      );
    };
    return { ranges, listener };
  }

  it('is resumed at its last byte, with a strong ETag', async () => {
    const { ranges, listener } = dropping([0.5, 0.5]);
    expect((await downloadFrom(listener)).bytes).toBe(file.length);
    expect((await readFile(path())).equals(file)).toBe(true);
    expect(ranges).toHaveLength(3);
    const [first, second, third] = ranges.map((range) => Number(/\d+/.exec(range ?? '0')?.[0]));
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(third).toBeGreaterThan(second ?? 0);
  });

  it('is resumed with an old enough Last-Modified', async () => {
    const modified = 'Wed, 01 Jan 2025 00:00:00 GMT';
    let requests = 0;
    await downloadFrom((request, response) => {
      requests += 1;
      const range = request.headers['if-range'] === modified ? rangeOf(request, file.length) : undefined;
      if (range === undefined) {
        response.writeHead(200, { 'content-length': file.length, 'last-modified': modified });
        return response.write(file.subarray(0, 100_000), () => request.socket.destroy());
      }
      const contentRange = `bytes ${range.start}-${file.length - 1}/${file.length}`;
      response.writeHead(206, { 'content-range': contentRange, 'last-modified': modified });
      return response.end(file.subarray(range.start));
    });
    expect((await readFile(path())).equals(file)).toBe(true);
    expect(requests).toBe(2);
  });

  const noon = 'Wed, 01 Jan 2025 12:00:00 GMT';
  it.each([
    ['there is no ETag', {}],
    ['its ETag is weak', { etag: 'W/"v1"' }],
    ['its Last-Modified equals the Date of the response', { 'last-modified': noon, date: noon }],
  ])('restarts from the first byte when %s', async (_name, headers) => {
    const { ranges, listener } = dropping([0.5], headers);
    await downloadFrom(listener);
    expect((await readFile(path())).equals(file)).toBe(true);
    expect(ranges).toEqual([undefined, undefined]);
  });

  it('restarts when the file has changed, without bytes of the old file', async () => {
    const changed = randomBytes(100_000);
    let requests = 0;
    const download = await downloadFrom((request, response) => {
      requests += 1;
      if (requests > 1) {
        answerHead({ request, response }, changed, { etag: '"v2"' });
        return response.end(changed);
      }
      answerHead({ request, response }, file);
      return response.write(file.subarray(0, 300_000), () => request.socket.destroy());
    });
    expect(download.bytes).toBe(changed.length);
    expect((await readFile(path())).equals(changed)).toBe(true);
  });

  it('is resumed without a Content-Length', async () => {
    let requests = 0;
    await downloadFrom((request, response) => {
      requests += 1;
      if (requests > 1) {
        const { start } = answerHead({ request, response }, file);
        return response.end(file.subarray(start));
      }
      response.writeHead(200, { etag: '"v1"' });
      return response.write(file.subarray(0, 300_000), () => request.socket.destroy());
    });
    expect((await readFile(path())).equals(file)).toBe(true);
  });

  it('is resumed as often as connections end that have brought a megabyte', async () => {
    const large = randomBytes(30_000_000);
    let requests = 0;
    await downloadFrom((request, response) => {
      requests += 1;
      const { start, end } = answerHead({ request, response }, large);
      if (end - start <= 3_000_000) return response.end(large.subarray(start, end));
      return response.write(large.subarray(start, start + 3_000_000), () => request.socket.destroy());
    });
    expect((await readFile(path())).equals(large)).toBe(true);
    expect(requests).toBeGreaterThan(7);
  });

  it('fails after five resumptions', async () => {
    const { ranges, listener } = dropping(new Array(100).fill(0.1));
    const failure = await failureOf(downloadFrom(listener));
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: true });
    expect(ranges).toHaveLength(6);
  });

  it('fails after two restarts', async () => {
    const { ranges, listener } = dropping([0.1, 0.2, 0.3], {});
    const failure = await failureOf(downloadFrom(listener));
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: true });
    expect(failure.message).toMatch(/ stated 400000 bytes and sent 120000$/);
    expect(ranges).toHaveLength(3);
  });

  it('waits longer before each resumption', async () => {
    const waits: number[] = [];
    const { listener } = dropping([0.1, 0.1, 0.1]);
    const port = await anHttpServer(listener);
    const network: Network = { ...systemNetwork, pause: async (ms) => void waits.push(ms) };
    await downloadInput(aDownload({ url: `http://127.0.0.1:${port}/` }), network);
    expect(waits).toEqual([125, 250, 500]);
  });
});

describe('a host that states 400 bytes of a file of 300', () => {
  const file = randomBytes(300);

  /** Downloads from a host that answers the first request like this, and the others like that. */
  async function downloadOf(headers: Record<string, string>, next: Parameters<typeof downloadFrom>[0]) {
    let requests = 0;
    const download = await downloadFrom((request, response) => {
      requests += 1;
      if (request.headers.range !== undefined) return next(request, response);
      response.writeHead(200, { 'content-length': 400, ...headers });
      return response.write(file, () => request.socket.destroy());
    });
    expect((await readFile(path())).equals(file)).toBe(true);
    return { ...download, requests };
  }

  it('is believed once its ranges end there', async () => {
    const { requests, ...download } = await downloadOf({ etag: '"v1"' }, (_request, response) =>
      response.writeHead(416, { 'content-range': 'bytes */300' }).end(),
    );
    expect([requests, download.bytes, download.shortfall]).toEqual([2, 300, undefined]);
  });

  it.each([
    ['that names no version', {}, 2],
    ['without ranges', { etag: '"v1"' }, 4],
  ] as const)('%s is believed once it ends there again', async (_, headers, expected) => {
    const { requests, ...download } = await downloadOf(headers, (_request, response) =>
      response.writeHead(200, { 'content-length': 400 }).end(),
    );
    expect(download).toMatchObject({
      bytes: 300,
      shortfall: expect.stringMatching(/^127\.0\.0\.1:\d+ stated 400 bytes and sent 300$/),
    });
    expect(requests).toBe(expected);
  });

  it('is not believed while its ranges promise more', async () => {
    const failure = await failureOf(
      downloadOf({ etag: '"v1"' }, (request, response) => {
        response.writeHead(206, { etag: '"v1"', 'content-range': 'bytes 300-399/400', 'content-length': 100 });
        response.flushHeaders();
        request.socket.end();
      }),
    );
    expect(failure).toMatchObject({ code: 'INPUT_UNREACHABLE', retryable: true });
    expect(failure.message).toMatch(/ stated 400 bytes and sent 300$/);
  });
});

describe('an overloaded server', () => {
  const file = randomBytes(100_000);

  /** Downloads from a server that answers the requests of these numbers with an error. Returns its waits. */
  async function waitsOf(errors: Record<number, [status: number, headers?: Record<string, string>]>) {
    const waits: number[] = [];
    let requests = 0;
    const port = await anHttpServer((request, response) => {
      const [status, headers] = errors[++requests] ?? [];
      if (status !== undefined) return response.writeHead(status, headers).end();
      const { start, end } = answerHead({ request, response }, file);
      if (requests > 1) return response.end(file.subarray(start, end));
      return response.write(file.subarray(0, 50_000), () => request.socket.destroy());
    });
    const network: Network = { ...systemNetwork, pause: async (ms) => void waits.push(Math.round(ms)) };
    await downloadInput(aDownload({ url: `http://127.0.0.1:${port}/` }), network);
    return waits;
  }

  it('is asked again before a byte has arrived', async () => {
    expect(await waitsOf({ 1: [503], 2: [429] })).toEqual([125, 250]);
    expect((await readFile(path())).equals(file)).toBe(true);
  });

  it('is asked again where the connection broke, without a restart', async () => {
    expect(await waitsOf({ 2: [503], 3: [502] })).toEqual([125, 250, 500]);
    expect((await readFile(path())).equals(file)).toBe(true);
  });

  const inTenSeconds = { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 12:00:10 GMT' };

  it('gets a second that it asks for, and more in the middle of the file', async () => {
    expect(await waitsOf({ 1: [429, { 'retry-after': '1' }] })).toEqual([1_000]);
    expect(await waitsOf({ 2: [503, { 'retry-after': '7' }] })).toEqual([125, 7_000]);
    expect(await waitsOf({ 2: [503, inTenSeconds] })).toEqual([125, 10_000]);
  });

  it.each([
    [429, { 'retry-after': '600' }, 600_000],
    [503, { 'retry-after': '2' }, 2_000],
    [503, inTenSeconds, 10_000],
    [403, { 'retry-after': '2' }, undefined],
  ])('that answers %i and asks for %o is not waited for', async (status, headers, retryAfterMs) => {
    const failure = await failureOf(waitsOf({ 1: [status, headers] }));
    expect(failure).toMatchObject({ retryAfterMs, message: expect.stringContaining(String(status)) });
  });

  it('that asks for a time, without its own, is not waited for until then', async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const port = await anHttpServer((_request, response) => {
      response.sendDate = false;
      response.writeHead(503, { 'retry-after': inAMinute }).end();
    });
    const failure = await failureOf(downloadInput(aDownload({ url: `http://127.0.0.1:${port}/` })));
    expect(failure.retryAfterMs).toBeGreaterThan(2_000);
    expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it('that never recovers fails the download after five repetitions', async () => {
    let requests = 0;
    const failure = await failureOf(
      downloadFrom((_request, response) => {
        requests += 1;
        response.writeHead(503).end();
      }),
    );
    expect([failure.retryable, requests]).toEqual([true, 6]);
  });

  it('whose ranges keep failing is asked for the whole file', async () => {
    const ranges: (string | undefined)[] = [];
    await downloadFrom((request, response) => {
      ranges.push(request.headers.range);
      if (request.headers.range !== undefined) return response.writeHead(500).end();
      answerHead({ request, response }, file);
      if (ranges.length > 1) return response.end(file);
      return response.write(file.subarray(0, 50_000), () => request.socket.destroy());
    });
    expect((await readFile(path())).equals(file)).toBe(true);
    expect(ranges.filter((range) => range === undefined)).toHaveLength(2);
  });
});
