import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { S3RangeProxy } from '../../core/chunking/ports.ts';
import { parseByteRange } from '../../core/net/byte-range.ts';
import {
  type BucketAccess,
  headObject,
  type ObjectRange,
  type ObjectRef,
  type ObjectVersion,
  objectMissingMessage,
  readObject,
  toReadError,
} from './read-object.ts';

/** An object of the proxy's bucket, or of another one, whose errors may have to be converted. */
export type ProxiedObject = ObjectRef & { access?: BucketAccess; toError?: (cause: unknown) => unknown };

/** A bucket with the version of its object that is served. */
type ServedObject = ObjectVersion & Required<Pick<ProxiedObject, 'access' | 'toError'>>;

export type S3RangeProxyRequest = {
  /** The readable objects by name. */
  objects: Readonly<Record<string, ProxiedObject>>;
  /** An unguessable part of every URL. Valid on this machine while the proxy runs. */
  token: string;
  /** Closes the proxy. */
  signal: AbortSignal;
};

export type RunningS3RangeProxy = S3RangeProxy & {
  /** Requests to S3, and bytes received from it. */
  traffic(): { requests: number; bytes: number };
  /** Stops all reads and resolves when none is running. */
  close(): Promise<void>;
};

/**
 * Serves objects on the loopback interface, so that ffmpeg gets a local URL without signature, key or bucket. Pins
 * each object to its current version. Throws JobError `INPUT_UNREACHABLE` if one, or its required version, is missing.
 */
export async function startS3RangeProxy(
  bucket: BucketAccess,
  { objects, token, signal }: S3RangeProxyRequest,
): Promise<RunningS3RangeProxy> {
  const pathOf = (name: string) => `/${token}/${encodeURIComponent(name)}`;
  const lookups = Object.entries(objects).map(async ([name, object]) => {
    const { access = bucket, toError = (cause) => cause } = object;
    const version = await headObject(access, object, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw toError(cause);
    });
    return [pathOf(name), { ...version, access, toError }] as const;
  });
  const served = new Map<string, ServedObject>(await Promise.all(lookups));
  const { read, failed, closed, traffic } = countingReader();
  const server = await listenOnLoopback((request, response) => {
    const object = served.get(request.url ?? '');
    return serveRange(request, response, { object, read });
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closed.abort();
    closing ??= server.close();
    return closing;
  };
  signal.addEventListener('abort', close, { once: true, signal: closed.signal });
  if (signal.aborted) await close();
  return {
    urlOf(name) {
      if (Object.hasOwn(objects, name)) return `${server.origin}${pathOf(name)}`;
      throw new RangeError(`The proxy serves no object named ${name}`);
    },
    failure: () => failed.signal.reason,
    signal: AbortSignal.any([signal, failed.signal]),
    traffic: () => ({ ...traffic }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Reads for all requests of one proxy. The first failure ends all of them. */
function countingReader() {
  const [failed, closed] = [new AbortController(), new AbortController()];
  const traffic = { requests: 0, bytes: 0 };
  const read: ReadRange = async function* (range, disconnected) {
    const signal = AbortSignal.any([failed.signal, closed.signal, disconnected]);
    traffic.requests += 1;
    try {
      for await (const chunk of readObject(range.access, range, { signal })) {
        traffic.bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      if (!signal.aborted) failed.abort(range.toError(toReadError(error, objectMissingMessage)));
      throw error;
    }
  };
  return { read, failed, closed, traffic };
}

/** Yields a range of an object until the reader disconnects. */
type ReadRange = (
  range: ObjectRange & Pick<ServedObject, 'access' | 'toError'>,
  disconnected: AbortSignal,
) => AsyncIterable<Buffer>;

/** Answers a GET or HEAD of an object or a range of it, and 404 to anything else. Never rejects. */
async function serveRange(
  { method = '', headers }: IncomingMessage,
  response: ServerResponse,
  { object, read }: { object: ServedObject | undefined; read: ReadRange },
): Promise<void> {
  if (object === undefined || !['GET', 'HEAD'].includes(method)) {
    response.writeHead(404).end();
    return;
  }
  const { totalBytes } = object;
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
  await pipeline(read({ ...object, start, end }, disconnected.signal), response).catch(() => undefined);
}

type LoopbackServer = {
  origin: string;
  /** Cuts every connection and resolves when no response is running. */
  close(): Promise<void>;
};

/** Listens on a free port of 127.0.0.1. `respond` must not reject. */
async function listenOnLoopback(
  respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LoopbackServer> {
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
