import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';

/** A local file and the URL that serves it. The caller closes it. */
export type ServedFile = {
  path: string;
  url: string;
  /** Bytes of the file that were sent until now. */
  sentBytes(): number;
  close(): Promise<void>;
};

/**
 * Serves one file on the loopback interface as web servers do: with its length, range requests and an ETag, so that a large one
 * is read in place.
 */
export async function serveFile(path: string): Promise<ServedFile> {
  const { size } = await stat(path);
  let sent = 0;
  const server = createServer((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const start = first === undefined ? 0 : Number(first);
    const end = last === undefined || last === '' ? size - 1 : Math.min(Number(last), size - 1);
    response.setHeader('accept-ranges', 'bytes');
    response.setHeader('etag', `"${size}"`);
    response.setHeader('content-length', end - start + 1);
    if (first !== undefined) response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
    response.writeHead(first === undefined ? 200 : 206);
    if (request.method === 'HEAD') response.end();
    else {
      const bytes = createReadStream(path, { start, end }).on('data', ({ length }) => {
        sent += length;
      });
      // Ends the reading with a response that the client aborts.
      pipeline(bytes, response, () => undefined);
    }
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}/${encodeURIComponent(basename(path))}`;
  return { path, url, sentBytes: () => sent, close: () => closeServer(server) };
}
