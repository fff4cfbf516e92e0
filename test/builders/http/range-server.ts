import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterUse } from '@media-jobs/testing/after-use';
import { parseByteRange } from '../../../core/net/byte-range.ts';

/** A file of a server, whose bytes are made when they are asked for. */
export type ServedFile = { sizeBytes: number; read(start: number, end: number): AsyncIterable<Uint8Array> };

/** A server with one file at every path. */
export type RangeServer = {
  url: string;
  /** Answers so far, and the bytes of their bodies that were sent. */
  traffic(): { requests: number; bytes: number };
  /** The ETag of the file. Without one the server answers no ranges. */
  etag: string | undefined;
  /** Milliseconds before each answer. */
  delayMs: number;
  /** Bytes that it states beyond those of the file. */
  excessBytes: number;
};

/** A correct web server on the loopback interface: ranges, `If-Range`, and an ETag that a test may change. Closed after its use. */
export async function aRangeServer(file: ServedFile): Promise<RangeServer> {
  const traffic = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    traffic.requests += 1;
    const { etag, delayMs } = running;
    const condition = request.headers['if-range'];
    const isSame = etag !== undefined && (condition === undefined || condition === etag);
    const range = isSame ? parseByteRange(request.headers.range, file.sizeBytes) : undefined;
    setTimeout(() => void answer(response, range === 'unsatisfiable' ? undefined : range), delayMs);
  });
  const answer = async (response: ServerResponse, range: { start: number; end: number } | undefined) => {
    const { start, end } = range ?? { start: 0, end: file.sizeBytes };
    const { etag, excessBytes } = running;
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': end - start + excessBytes,
      ...(etag !== undefined && { etag, 'accept-ranges': 'bytes' }),
      ...(range !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${file.sizeBytes}` }),
    });
    const counted = async function* () {
      for await (const chunk of file.read(start, end)) {
        traffic.bytes += chunk.length;
        yield chunk;
      }
    };
    // A reader that has enough disconnects.
    await pipeline(Readable.from(counted(), { highWaterMark: 1 }), response).catch(() => undefined);
    if (excessBytes > 0) response.socket?.end();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const running: RangeServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/film.mp4`,
    traffic: () => ({ ...traffic }),
    etag: '"v1"',
    delayMs: 0,
    excessBytes: 0,
  };
  afterUse(() => {
    server.closeAllConnections();
    server.close();
  });
  return running;
}
