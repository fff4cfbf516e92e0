import type { IncomingMessage } from 'node:http';

/**
 * Reads the whole body of a request and unshifts it, so that the next listener can read it again.
 *
 * @throws Error for a body without Content-Length: the SDK always sends one with JSON
 */
export function peekBody(request: IncomingMessage): Promise<Buffer> {
  const size = Number(request.headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(size)) {
    return Promise.reject(new Error(`${request.method} ${request.url}: expected a Content-Length header`));
  }
  if (size === 0) return Promise.resolve(Buffer.alloc(0));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let received = 0;
  const stop = () => {
    request.off('readable', read).off('error', failed).off('close', closed);
  };
  const failed = (error: Error) => {
    stop();
    reject(error);
  };
  const closed = () =>
    failed(new Error(`${request.method} ${request.url}: the connection closed before the end of the body`));
  const read = () => {
    for (;;) {
      const chunk = request.read() as Buffer | null;
      if (chunk === null) return;
      chunks.push(chunk);
      received += chunk.length;
      if (received < size) continue;
      const body = Buffer.concat(chunks);
      stop();
      request.unshift(body);
      resolve(body);
      return;
    }
  };
  request.on('readable', read).on('error', failed).on('close', closed);
  return promise;
}
