import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';
import { objectOf, uploadDirectory } from './s3-request.ts';

/** Adds bytes to a checksum and returns it in base64. */
type Checksum = { update(bytes: Buffer): void; digest(): string };

const algorithms: Readonly<Record<string, () => Checksum>> = {
  crc32: crc32Checksum,
  sha1: () => hashChecksum('sha1'),
  sha256: () => hashChecksum('sha256'),
};

/**
 * Adds to s3rver the checksums of uploads, which the SDK sends by default: as a header, or as the trailer of an
 * `aws-chunked` body, which s3rver itself would store undecoded. An upload that differs from its checksum is removed and
 * fails with `BadDigest`.
 */
export function verifyChecksums(s3: S3rver): void {
  s3.middleware.unshift(async (context, next) => {
    const { req: request, method, headers, path, query } = context;
    const isChunked = headers['content-encoding']?.includes('aws-chunked') ?? false;
    const name = checksumHeader(headers);
    if (method !== 'PUT' || (!isChunked && name === undefined)) return next();

    const checksum = name === undefined ? undefined : createChecksum(name);
    const decoder = isChunked ? chunkedDecoder() : undefined;
    const body = new Transform({
      transform(bytes: Buffer, _, done) {
        checksum?.update(bytes);
        done(null, bytes);
      },
    });
    // It fails when the client disconnects; s3rver then waits for a body that never ends, as without this.
    pipeline(decoder ? [request, decoder.stream, body] : [request, body]).catch(() => undefined);
    context.req = body;
    if (isChunked) headers['content-encoding'] = withoutChunked(headers['content-encoding'] ?? '');
    await next();

    const actual = checksum?.digest();
    const expected = name === undefined ? undefined : (decoder?.trailers.get(name) ?? headers[name]);
    const error =
      decoder && !decoder.isComplete() ? incompleteBody() : actual === expected ? undefined : badDigest(name);
    if (error === undefined) {
      if (name !== undefined && actual !== undefined) context.set(name, actual);
      return;
    }
    await removeUpload(s3, path, query);
    throw error;
  });
}

/** The name of the header or trailer with the checksum of a body; undefined without one. */
export function checksumHeader(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  if (headers['x-amz-trailer'] !== undefined) return headers['x-amz-trailer'];
  return Object.keys(headers).find(
    (name) => name.startsWith('x-amz-checksum-') && !['x-amz-checksum-algorithm', 'x-amz-checksum-type'].includes(name),
  );
}

function createChecksum(headerName: string): Checksum {
  const create = algorithms[headerName.replace('x-amz-checksum-', '')];
  if (create) return create();
  const known = Object.keys(algorithms).join(', ');
  throw new S3Error('NotImplemented', `${headerName} is not verified here; known checksums are ${known}.`);
}

function crc32Checksum(): Checksum {
  let value = 0;
  return {
    update(bytes) {
      value = crc32(bytes, value);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes.toString('base64');
    },
  };
}

/** The CRC-32 of all bytes, in base64. */
export async function crc32Of(bytes: AsyncIterable<Buffer>): Promise<string> {
  const checksum = crc32Checksum();
  for await (const chunk of bytes) checksum.update(chunk);
  return checksum.digest();
}

function hashChecksum(algorithm: string): Checksum {
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('base64') };
}

/** S3 does not store the encoding `aws-chunked` with the object. */
function withoutChunked(contentEncoding: string): string {
  return contentEncoding.replace(/,?\s*aws-chunked\s*,?/, '');
}

async function removeUpload(
  { store }: S3rver,
  path: string,
  { uploadId, partNumber }: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { bucket, key } = objectOf({ path });
  if (uploadId === undefined || partNumber === undefined) return store.deleteObject(bucket, key);
  const part = join(uploadDirectory(store, bucket, uploadId), partNumber);
  await Promise.all([part, `${part}.md5`].map((file) => rm(file, { force: true })));
}

const badDigest = (name = '') =>
  new S3Error(
    'BadDigest',
    `The ${name.replace('x-amz-checksum-', '').toUpperCase()} you specified did not match the calculated checksum.`,
  );
const incompleteBody = () => new S3Error('IncompleteBody', 'The request body terminated before its last chunk.');

/** A decoder of the `aws-chunked` content encoding, and what it has found once its stream has ended. */
type ChunkedDecoder = {
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
function chunkedDecoder(): ChunkedDecoder {
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
