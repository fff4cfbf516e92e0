import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { JobError } from '@media-jobs/video/errors';
import { codeOf, incompleteBody, isCut } from './http-failure.ts';

/** Opens the decoder of a body that begins with these bytes. Undefined if it is not in the coding that its host states. */
type OpenDecoder = (head: Buffer) => Transform | undefined;

const gunzip: OpenDecoder = (head) => (head.readUInt16BE() === 0x1f8b ? createGunzip() : undefined);

/** HTTP means the zlib format (RFC 9110, section 8.4.1.2), but some hosts send the bare one. */
const inflate: OpenDecoder = ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw());

const decoders = new Map<string, OpenDecoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', () => createBrotliDecompress()],
  ['zstd', (head) => (head.readUInt32BE() === 0x28b52ffd ? createZstdDecompress() : undefined)],
]);

/** Each coding multiplies what a small body can grow to. */
const maxCodings = 3;
const headBytes = 4;

/**
 * The compressions of a body in the order in which they were applied. Other values are left out: hosts send `aws-chunked`,
 * `none` or `utf-8` with plain files.
 */
export function statedCodings(contentEncoding = ''): string[] {
  const stated = contentEncoding.toLowerCase().split(',');
  return stated.map((each) => each.trim()).filter((each) => decoders.has(each) || each === 'compress');
}

/**
 * The same for a body that is to be decoded.
 * @throws JobError `INPUT_UNSUPPORTED` for a compression that no browser decodes, or for too many
 */
export function codingsOf(host: string, contentEncoding: string | undefined): string[] {
  const codings = statedCodings(contentEncoding);
  if (codings.length <= maxCodings && codings.every((each) => decoders.has(each))) return codings;
  const list = codings.slice(0, maxCodings + 1).join(', ');
  throw new JobError('INPUT_UNSUPPORTED', `${host} sends the input compressed (${list}), which is not supported`);
}

/**
 * Decodes a body in constant memory. The caller limits the decoded bytes.
 * @throws JobError `INPUT_UNREACHABLE` if it cannot be decoded; HttpFailure if it ends early; any error of `body`
 */
export function decodeBody(
  body: AsyncIterable<Buffer>,
  { codings, host }: { codings: readonly string[]; host: string },
): AsyncIterable<Buffer> {
  return codings.reduceRight((encoded, coding) => decodeOne(encoded, { coding, host }), body);
}

async function* decodeOne(
  encoded: AsyncIterable<Buffer>,
  { coding, host }: { coding: string; host: string },
): AsyncGenerator<Buffer> {
  const chunks = encoded[Symbol.asyncIterator]();
  const { head, rest } = await splitHead(chunks);
  const decoder = head.length < headBytes ? undefined : decoders.get(coding)?.(head);
  if (decoder === undefined) {
    yield* rest;
    return;
  }
  // The iteration throws the error of the pipeline.
  pipeline(Readable.from(untilCut(rest)), decoder, () => undefined);
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (cause) {
    const code = codeOf(cause) ?? '';
    if (code === 'Z_BUF_ERROR') throw incompleteBody(host);
    if (!/^(Z_|ZSTD_|ERR_)/.test(code)) throw cause;
    const message = `${host} sent a body that cannot be decoded as its Content-Encoding says (${coding})`;
    throw new JobError('INPUT_UNREACHABLE', message, { retryable: false, cause });
  }
}

/** The coding says whether it is complete: hosts state the length of the file beside its compressed body. */
async function* untilCut(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    if (!isCut(error)) throw error;
  }
}

/** The first bytes of a body, and all of it. If it breaks off before, the failure is that of the rest. */
export async function splitHead(
  chunks: AsyncIterator<Buffer>,
  minBytes = headBytes,
): Promise<{ head: Buffer; rest: AsyncGenerator<Buffer> }> {
  let head = Buffer.alloc(0);
  let failure: { cause: unknown } | undefined;
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      head = Buffer.concat([head, next.value]);
      if (head.length >= minBytes) break;
    }
  } catch (cause) {
    failure = { cause };
  }
  async function* rest(): AsyncGenerator<Buffer> {
    try {
      if (head.length > 0) yield head;
      if (failure !== undefined) throw failure.cause;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  return { head, rest: rest() };
}
