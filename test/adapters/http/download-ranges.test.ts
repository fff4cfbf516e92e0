import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { downloadInput } from '../../../adapters/http/download-input.ts';
import { downloads, networkWithoutPauses } from './builders/downloads.ts';
import { answerHead, type Range, rangeOf } from './builders/file-server.ts';
import { anHttpServer } from './builders/servers.ts';

const { path, remains, aDownload, downloadFrom } = downloads();

describe('a large file', () => {
  const size = 17 * 1_024 * 1_024 + 5;
  const file = randomBytes(size);

  async function downloadLarge(serve: (range: string | undefined, ...of: Parameters<RequestListener>) => void) {
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

  it('is downloaded over four connections, exact to the byte', async () => {
    const rangeBytes = Math.ceil(size / 4);
    const ranges = await downloadLarge((_range, request, response) => serveWell(request, response));
    expect(ranges.sort()).toEqual(
      [
        'none',
        `${rangeBytes}-${2 * rangeBytes - 1}`,
        `${2 * rangeBytes}-${3 * rangeBytes - 1}`,
        `${3 * rangeBytes}-${size - 1}`,
      ]
        .map((range) => (range === 'none' ? range : `bytes=${range}`))
        .sort(),
    );
  });

  it('is read by ranges under a Content-Encoding that compresses nothing', async () => {
    const ranges = await downloadLarge((_range, request, response) => {
      response.setHeader('content-encoding', 'aws-chunked');
      serveWell(request, response);
    });
    expect(ranges).toHaveLength(4);
  });

  it('is resumed in the range that broke', async () => {
    let isBroken = false;
    const ranges = await downloadLarge((range, request, response) => {
      if (range === undefined || isBroken) return serveWell(request, response);
      isBroken = true;
      const { start } = answerHead({ request, response }, file);
      return response.write(file.subarray(start, start + 100_000), () => request.socket.destroy());
    });
    expect(ranges).toHaveLength(5);
  });

  // Each server sends wrong bytes: a download that trusts the response head is not exact.
  const wrongResponses: [string, (range: Range) => { status: number; headers: Record<string, string> }][] = [
    ['answers with the whole file', () => ({ status: 200, headers: { etag: '"v1"' } })],
    ['sends a range that starts before', ({ start, end }) => partial(`bytes ${start - 1}-${end - 1}/${size}`)],
    ['sends a range that ends before', ({ start, end }) => partial(`bytes ${start}-${end - 2}/${size}`)],
    ['sends a range of a larger file', ({ start, end }) => partial(`bytes ${start}-${end - 1}/${size + 1}`)],
    ['sends a range without a total size', ({ start, end }) => partial(`bytes ${start}-${end - 1}/*`)],
    ['sends a range of a changed file', ({ start, end }) => partial(`bytes ${start}-${end - 1}/${size}`, '"v2"')],
    ['sends a range without Content-Range', () => ({ status: 206, headers: { etag: '"v1"' } })],
    ['rejects further connections', () => ({ status: 429, headers: {} })],
  ];

  function partial(contentRange: string, etag = '"v1"') {
    return { status: 206, headers: { 'content-range': contentRange, etag } };
  }

  it.each(wrongResponses)('uses the first connection only if the server %s', async (_name, wrong) => {
    const ranges = await downloadLarge((range, request, response) => {
      if (range === undefined) return serveWell(request, response);
      const requested = rangeOf(request, size) ?? { start: 0, end: size };
      const { status, headers } = wrong(requested);
      return response.writeHead(status, headers).end(Buffer.alloc(requested.end - requested.start));
    });
    expect(ranges).toHaveLength(4);
  });

  it('uses the first connection only if the server drops one, and closes the others', async () => {
    const closed: Promise<unknown>[] = [];
    await downloadLarge((range, request, response) => {
      if (range === undefined) return serveWell(request, response);
      closed.push(new Promise((resolve) => request.socket.once('close', resolve)));
      if (closed.length === 1) return request.socket.destroy();
      answerHead({ request, response }, file);
      return response.flushHeaders();
    });
    expect(closed).toHaveLength(3);
    await Promise.all(closed);
  });

  it('uses the first connection only if the server does not answer further ones', async () => {
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

  it.each([
    ['is exact if a range contains more bytes than announced', 1_000, size],
    ['is resumed if a range contains fewer bytes than announced', 0, 2_000_000],
  ])('%s', async (_, more, most) => {
    await downloadLarge((range, request, response) => {
      if (range === undefined) return serveWell(request, response);
      const { start, end } = rangeOf(request, size) ?? { start: 0, end: size };
      response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${size}`, etag: '"v1"' });
      return response.end(file.subarray(start, Math.min(size, end + more, start + most)));
    });
  });

  it('restarts over one connection if a range breaks and cannot be resumed', async () => {
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
  ])('is requested once if the server %s', async (_name, headers) => {
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
      networkWithoutPauses,
    );
    await expect(download).rejects.toThrow('cancelled');
    await Promise.all(closed);
    expect(closed).toHaveLength(4);
    expect(await remains()).toEqual([]);
  });
});
