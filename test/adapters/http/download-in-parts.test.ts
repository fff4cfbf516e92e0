import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { downloadInput } from '../../../adapters/http/download-input.ts';
import { downloads, hasty } from './downloads.ts';
import { answerHead, type Range, rangeOf } from './file-server.ts';
import { anHttpServer } from './servers.ts';

const { path, remains, aDownload, downloadFrom } = downloads();

describe('a large file', () => {
  const size = 17 * 1_024 * 1_024 + 5;
  const file = randomBytes(size);

  async function downloadLarge(
    serve: (range: string | undefined, ...of: Parameters<RequestListener>) => void,
  ) {
    const ranges: string[] = [];
    const download = await downloadFrom((request, response) => {
      ranges.push(request.headers.range ?? 'none');
      serve(request.headers.range, request, response);
    });
    expect(download.bytes).toBe(size);
    expect((await readFile(path())).equals(file)).toBe(true);
    return ranges;
  }

  function serveWell(request: IncomingMessage, response: ServerResponse) {
    const { start, end } = answerHead({ request, response }, file);
    response.end(file.subarray(start, end));
  }

  it('comes over four connections at once, exact to the byte', async () => {
    const part = Math.ceil(size / 4);
    const ranges = await downloadLarge((_range, request, response) => serveWell(request, response));
    expect(ranges.sort()).toEqual(
      ['none', `${part}-${2 * part - 1}`, `${2 * part}-${3 * part - 1}`, `${3 * part}-${size - 1}`]
        .map((range) => (range === 'none' ? range : `bytes=${range}`))
        .sort(),
    );
  });

  it('is resumed in the part that broke', async () => {
    let isBroken = false;
    const ranges = await downloadLarge((range, request, response) => {
      if (range === undefined || isBroken) return serveWell(request, response);
      isBroken = true;
      const { start } = answerHead({ request, response }, file);
      return response.write(file.subarray(start, start + 100_000), () => request.socket.destroy());
    });
    expect(ranges).toHaveLength(5);
  });

  const lies: [string, (request: IncomingMessage, response: ServerResponse, range: Range) => void][] = [
    ['answers with the whole file', (_request, response) => response.writeHead(200).end(file)],
    [
      'gives another range than asked for',
      (_request, response) =>
        response
          .writeHead(206, { 'content-range': `bytes 0-999/${size}`, etag: '"v1"' })
          .end(file.subarray(0, 1_000)),
    ],
    [
      'gives a range without saying which',
      (_request, response, { start, end }) =>
        response.writeHead(206, { etag: '"v1"' }).end(file.subarray(start, end)),
    ],
    [
      'gives a range of a changed file',
      (_request, response, { start, end }) =>
        response
          .writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${size}`, etag: '"v2"' })
          .end(randomBytes(end - start)),
    ],
    [
      'gives a range of a file of another size',
      (_request, response, { start, end }) =>
        response
          .writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${size + 1}`, etag: '"v1"' })
          .end(file.subarray(start, end)),
    ],
    ['refuses further connections', (_request, response) => response.writeHead(429).end()],
    ['drops further connections', (request) => request.socket.destroy()],
  ];

  it.each(lies)('comes over the first connection alone when the server %s', async (_name, lie) => {
    const ranges = await downloadLarge((range, request, response) => {
      if (range === undefined) serveWell(request, response);
      else lie(request, response, rangeOf(request, size) ?? { start: 0, end: size });
    });
    expect(ranges).toHaveLength(4);
  });

  it('comes over the first connection alone when the server leaves further ones waiting', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let waiting = 0;
    await downloadLarge((range, request, response) => {
      if (range === undefined) return serveWell(request, response);
      waiting += 1;
      if (waiting === 3) vi.advanceTimersByTime(5_000);
    });
    expect(waiting).toBe(3);
  });

  it('loses nothing and gains nothing when a range holds more than it says', async () => {
    await downloadLarge((range, request, response) => {
      if (range === undefined) return serveWell(request, response);
      const { start, end } = rangeOf(request, size) ?? { start: 0, end: size };
      response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${size}`, etag: '"v1"' });
      return response.end(file.subarray(start, Math.min(size, end + 1_000)));
    });
  });

  it('is resumed when a range holds less than it says', async () => {
    await downloadLarge((range, request, response) => {
      if (range === undefined) return serveWell(request, response);
      const { start, end } = rangeOf(request, size) ?? { start: 0, end: size };
      response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${size}`, etag: '"v1"' });
      return response.end(file.subarray(start, Math.min(end, start + 2_000_000)));
    });
  });

  it('starts again over one connection when a part breaks and can no longer be had', async () => {
    let partsServed = 0;
    const ranges = await downloadLarge((range, request, response) => {
      if (range === undefined) return serveWell(request, response);
      partsServed += 1;
      if (partsServed > 3) return response.writeHead(200, { etag: '"v1"' }).end(file);
      const { start } = answerHead({ request, response }, file);
      return response.write(file.subarray(start, start + 1_000), () => request.socket.destroy());
    });
    expect(ranges.filter((range) => range === 'none')).toHaveLength(2);
  });

  it.each([
    ['announces no ranges', { 'accept-ranges': 'none', etag: '"v1"' }],
    ['has a weak ETag', { etag: 'W/"v1"' }],
  ])('is asked for once when the server %s', async (_name, headers) => {
    const ranges = await downloadLarge((_range, request, response) => {
      answerHead({ request, response }, file, headers);
      response.end(file);
    });
    expect(ranges).toEqual(['none']);
  });

  it('closes every connection when it is cancelled', async () => {
    const caller = new AbortController();
    const closed: Promise<unknown>[] = [];
    const port = await anHttpServer((request, response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)));
      const { start } = answerHead({ request, response }, file);
      response.write(file.subarray(start, start + 1_000));
    });
    const download = downloadInput(
      aDownload({
        url: `http://127.0.0.1:${port}/`,
        signal: caller.signal,
        onProgress: () => caller.abort(new Error('cancelled')),
      }),
      hasty,
    );
    await expect(download).rejects.toThrow('cancelled');
    await Promise.all(closed);
    expect(closed).toHaveLength(4);
    expect(await remains()).toEqual([]);
  });
});
