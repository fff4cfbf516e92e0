import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { RangeProxy } from '../../core/jobs/chunked-ports.ts';
import { type ByteRange, parseByteRange } from '../../core/net/byte-range.ts';

/** One version of a file that is read by ranges in place. */
export type RangeSource = {
  totalBytes: number;
  /** Yields a range in constant memory. Resumes after a failed connection; closes it when the signal aborts. */
  read(range: ByteRange, signal: AbortSignal): AsyncIterable<Buffer>;
};

export type RangeProxyRequest = {
  /** The readable files by name. */
  sources: Readonly<Record<string, RangeSource>>;
  /** An unguessable part of every URL. Valid on this machine while the proxy runs. */
  token: string;
  /** Closes the proxy. */
  signal: AbortSignal;
};

export type RunningRangeProxy = RangeProxy & {
  /** Ranges that were read, and bytes received. */
  traffic(): { requests: number; bytes: number };
  /** Stops all reads and resolves when none is running. */
  close(): Promise<void>;
};

/**
 * Serves files on the loopback interface, so that ffmpeg gets a local URL without the address, signature or key of the
 * file. The first failed read ends the proxy.
 */
export async function startRangeProxy({ sources, token, signal }: RangeProxyRequest): Promise<RunningRangeProxy> {
  const pathOf = (name: string) => `/${token}/${encodeURIComponent(name)}`;
  const served = new Map(Object.entries(sources).map(([name, source]) => [pathOf(name), source]));
  const { read, failed, closed, traffic } = countingReader();
  const server = await listenOnLoopback((request, response) => {
    const source = served.get(request.url ?? '');
    return serveRange(request, response, { source, read });
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closed.abort();
    closing ??= server.close();
    return closing;
  };
  signal.addEventListener('abort', close, { once: true, signal: closed.signal });
  if (signal.aborted) await close();
  const sourceOf = (name: string) => {
    const source = served.get(pathOf(name));
    if (source === undefined) throw new RangeError(`The proxy serves no file named ${name}`);
    return source;
  };
  return {
    urlOf(name) {
      sourceOf(name);
      return `${server.origin}${pathOf(name)}`;
    },
    async readAt(name, offset, length) {
      const source = sourceOf(name);
      const end = Math.min(offset + length, source.totalBytes);
      const chunks: Buffer[] = [];
      if (offset >= end) return Buffer.alloc(0);
      for await (const chunk of read(source, { start: offset, end }, signal)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    failure: () => failed.signal.reason,
    signal: AbortSignal.any([signal, failed.signal]),
    traffic: () => ({ ...traffic }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

type ReadRange = (source: RangeSource, range: ByteRange, disconnected: AbortSignal) => AsyncIterable<Buffer>;

/** Reads for all requests of one proxy. The first failure ends all of them. */
function countingReader() {
  const [failed, closed] = [new AbortController(), new AbortController()];
  const traffic = { requests: 0, bytes: 0 };
  const read: ReadRange = async function* (source, range, disconnected) {
    const signal = AbortSignal.any([failed.signal, closed.signal, disconnected]);
    traffic.requests += 1;
    try {
      for await (const chunk of source.read(range, signal)) {
        traffic.bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      if (!signal.aborted) failed.abort(error);
      throw error;
    }
  };
  return { read, failed, closed, traffic };
}

/** Answers a GET or HEAD of a file or a range of it, and 404 to anything else. Never rejects. */
async function serveRange(
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
  { source, read }: { source: RangeSource | undefined; read: ReadRange },
): Promise<void> {
  if (source === undefined || !['GET', 'HEAD'].includes(method)) {
    response.writeHead(404).end();
    return;
  }
  const { totalBytes } = source;
  const range = parseByteRange(headers.range, totalBytes);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${totalBytes}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: totalBytes };
  response.writeHead(range ? 206 : 200, {
    'accept-ranges': 'bytes',
    'content-length': end - start,
    // Not the stored type: ffmpeg would choose a demuxer by it.
    'content-type': 'application/octet-stream',
    ...(range && { 'content-range': `bytes ${start}-${end - 1}/${totalBytes}` }),
  });
  if (method === 'HEAD' || start === end) {
    response.end();
    return;
  }
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  // `countingReader` records a failed read; a reader that disconnects is no failure.
  await pipeline(read(source, { start, end }, disconnected.signal), response).catch(() => undefined);
}

/** Listens on a free port of 127.0.0.1. `respond` must not reject. */
async function listenOnLoopback(
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ origin: string; close(): Promise<void> }> {
  const responses = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const responding = respond(request, response).finally(() => responses.delete(responding));
    responses.add(responding);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.all(responses);
    },
  };
}

/** Of the ranges in which a source is requested until its reader has taken 3.75 MiB. The rest is one range. */
const growingBytes = [256, 512, 1_024, 2_048].map((kibibytes) => kibibytes * 1_024);
/** The head and the index of a source, which each program reads again. */
const maxKeptBytes = 16 * 1_024 * 1_024;

/**
 * A source whose host sends little that no reader takes. ffmpeg requests all bytes up to the end and leaves after some, while
 * megabytes are under way: they are requested in ranges that grow while the reader stays. The first bytes that were read are
 * kept, and requested once.
 */
export function sparingSource({ totalBytes, read }: RangeSource): RangeSource {
  const kept = keptBytes();
  return {
    totalBytes,
    async *read({ start: position, end }, signal) {
      // What ends earlier is wanted whole.
      const sizes = (end === totalBytes ? growingBytes : []).values();
      while (position < end) {
        signal.throwIfAborted();
        const found = kept.from(position);
        if (found !== undefined) {
          const bytes = found.subarray(0, end - position);
          position += bytes.length;
          yield bytes;
          continue;
        }
        const { value: size = Number.POSITIVE_INFINITY } = sizes.next();
        const until = Math.min(end, kept.startAfter(position), position + size);
        for await (const bytes of read({ start: position, end: until }, signal)) {
          kept.add(position, bytes);
          position += bytes.length;
          yield bytes;
        }
      }
    },
  };
}

/** The first bytes that were read of a file, by their places. */
function keptBytes() {
  const pieces = new Map<number, Buffer>();
  let total = 0;
  const containing = (position: number): [number, Buffer] | undefined =>
    [...pieces].find(([start, { length }]) => start < position && position < start + length);
  return {
    add(start: number, bytes: Buffer): void {
      if (total + bytes.length > maxKeptBytes) return;
      total += bytes.length;
      pieces.set(start, bytes);
    },
    from(position: number): Buffer | undefined {
      const exact = pieces.get(position);
      if (exact !== undefined) return exact;
      const [start, bytes] = containing(position) ?? [];
      return start === undefined ? undefined : bytes?.subarray(position - start);
    },
    startAfter: (position: number): number =>
      Math.min(...[...pieces.keys()].filter((start) => start > position), Number.POSITIVE_INFINITY),
  };
}
