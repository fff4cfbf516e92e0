import { Transform } from 'node:stream';

/** A decoder of the `aws-chunked` content encoding, and what it has found once its stream has ended. */
export type ChunkedDecoder = {
  stream: Transform;
  /** Trailing headers by lower-case name. */
  trailers: ReadonlyMap<string, string>;
  /** Whether the last chunk was there. */
  isComplete(): boolean;
};

/**
 * Decodes chunks of `<size in hex>[;chunk-signature=…]\r\n<data>\r\n`, up to a chunk of size 0, and trailing headers
 * (Amazon S3 API Reference, "Signature calculations for the Authorization header: Transferring payload in chunks").
 */
export function chunkedDecoder(): ChunkedDecoder {
  const trailers = new Map<string, string>();
  let next: 'size' | 'data' | 'end of data' | 'trailer' = 'size';
  let remainingBytes = 0;
  let line = '';

  function readLine(text: string): void {
    if (next === 'size') {
      remainingBytes = Number.parseInt(text, 16) || 0;
      next = remainingBytes === 0 ? 'trailer' : 'data';
    } else if (next === 'end of data') {
      next = 'size';
    } else if (text !== '') {
      const [name = '', ...value] = text.split(':');
      trailers.set(name.toLowerCase(), value.join(':').trim());
    }
  }

  const stream = new Transform({
    transform(bytes: Buffer, _, done) {
      let position = 0;
      while (position < bytes.length) {
        if (next === 'data') {
          const data = bytes.subarray(position, position + remainingBytes);
          stream.push(data);
          position += data.length;
          remainingBytes -= data.length;
          if (remainingBytes === 0) next = 'end of data';
          continue;
        }
        const newline = bytes.indexOf('\n', position);
        const end = newline < 0 ? bytes.length : newline + 1;
        line += bytes.toString('latin1', position, end);
        position = end;
        if (newline < 0) break;
        readLine(line.trim());
        line = '';
      }
      done();
    },
  });
  return { stream, trailers, isComplete: () => next === 'trailer' };
}
