import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { parseByteRange } from '../../core/net/byte-range.ts';
import type { ObjectVersion } from './look-up-object.ts';
import type { ObjectRange } from './open-object.ts';

/** The bytes of an object's part. Where reading them fails, the connection is cut. */
type Read = (part: ObjectRange, reader: AbortSignal) => AsyncIterable<Buffer>;

/** Answers a GET or HEAD of an object, or of a part of it; whatever else is asked is not found. Never rejects. */
export async function serveRange(
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
  { object, read }: { object: ObjectVersion | undefined; read: Read },
): Promise<void> {
  if (object === undefined || !['GET', 'HEAD'].includes(method)) {
    response.writeHead(404).end();
    return;
  }
  const { key, version, totalBytes } = object;
  const range = parseByteRange(headers.range, totalBytes);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${totalBytes}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: totalBytes };
  response.writeHead(range ? 206 : 200, {
    'accept-ranges': 'bytes',
    'content-length': end - start,
    // Never the type that came with the object: ffmpeg would go by it.
    'content-type': 'application/octet-stream',
    ...(range && { 'content-range': `bytes ${start}-${end - 1}/${totalBytes}` }),
  });
  if (method === 'HEAD' || start === end) {
    response.end();
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // Whoever reads from S3 says why that failed; a reader that goes away has had enough.
  await pipeline(read({ key, version, start, end }, gone.signal), response).catch(() => undefined);
}
