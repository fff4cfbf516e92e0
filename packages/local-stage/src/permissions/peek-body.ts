import type { IncomingMessage } from 'node:http';

/**
 * Reads the whole body of a request and leaves it in the stream, so that the next listener reads it as usual. Takes the
 * body where the HTTP parser pushes it: to read the stream and unshift the body took longer than the rest of a check.
 *
 * @throws Error if the parser has pushed some of the body: it does so right after the server's event `request`
 */
export async function peekBody(request: IncomingMessage): Promise<Buffer> {
  const name = `${request.method} ${request.url}`;
  if (request.complete || request.readableLength > 0) {
    throw new Error(`${name}: the body has to be peeked at in the event 'request'`);
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const push = request.push;
  const chunks: Buffer[] = [];
  const closed = () => reject(new Error(`${name}: the connection closed before the end of the body`));
  request.on('error', reject).on('close', closed);
  request.push = (chunk: Buffer | null) => {
    if (chunk !== null) {
      chunks.push(chunk);
      return true;
    }
    request.off('error', reject).off('close', closed);
    request.push = push;
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    if (body.length > 0) request.push(body);
    resolve(body);
    return request.push(null);
  };
  return promise;
}
