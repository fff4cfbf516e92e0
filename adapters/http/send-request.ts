import { on } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { DownloadLimits } from '../../core/net/ports.ts';
import { exchangeFailure, HttpFailure, SlowHostFailure } from './http-failure.ts';
import {
  type Connection,
  type ConnectionRules,
  type Network,
  openConnection,
  withTimeLimit,
} from './open-connection.ts';

export type HttpRequest = {
  url: URL;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Time limit for the response head, from the moment the connection is open. */
  headMs: number;
  rules: ConnectionRules;
  /** Accepts what browsers accept, such as a length beside a chunked body. Nothing else is read from the connection. */
  isLenient?: boolean;
  /** Called with the IP address as soon as a connection is open. */
  onConnected?: (address: string) => void;
};

/**
 * Sends one request over a new connection, which is never reused, and returns the response once its head has arrived.
 * The caller reads the body to the end or destroys the response, and watches the signal meanwhile. Throws HttpFailure
 * or the signal's reason.
 */
export async function sendRequest(outgoing: HttpRequest, network: Network): Promise<IncomingMessage> {
  const connection = await openConnection(outgoing.url, outgoing.rules, network);
  outgoing.onConnected?.(connection.address);
  const { host } = outgoing.url;
  const failure = () => new HttpFailure('timeout', `${host} did not answer within ${outgoing.headMs / 1000} s`);
  return withTimeLimit({ ms: outgoing.headMs, failure, parent: outgoing.rules.signal }, (signal) =>
    exchange(outgoing, connection, signal),
  );
}

async function exchange(
  { url, method, headers, body = '', isLenient = false }: HttpRequest,
  { socket }: Connection,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (socket.destroyed) throw exchangeFailure(url.host, socket.errored);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request({
    createConnection: () => socket,
    method,
    insecureHTTPParser: isLenient,
    maxHeaderSize: isLenient ? maxLenientHeaderBytes : undefined,
    path: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      connection: 'close',
      ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  });
  const onAbort = () => outgoing.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  outgoing.on('error', (error) => reject(exchangeFailure(url.host, error)));
  outgoing.once('response', (response) => {
    collectBody(response);
    // Node reports an unparsable body to the request only: without this the response would seem merely cut off.
    outgoing.on('error', (error) => {
      // What follows a complete body does not matter.
      if (!response.complete) response.destroy(error);
    });
    resolve(response);
  });
  // An unrequested protocol upgrade.
  outgoing.once('upgrade', () => {
    outgoing.destroy();
    reject(new HttpFailure('protocol', `${url.host} answered with a change of protocol`));
  });
  outgoing.end(body);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const bodies = new WeakMap<IncomingMessage, AsyncIterable<[Buffer]>>();

/** Collects a body from its head on: when the connection closes, Node drops what has arrived and nobody has read. */
function collectBody(response: IncomingMessage): void {
  const watermarks = { highWaterMark: 2, lowWaterMark: 1 };
  bodies.set(response, on(response, 'data', { close: ['end', 'close'], ...watermarks }) as never);
  const destroy = response.destroy.bind(response);
  response.destroy = (error) => {
    while (response.read() !== null);
    return destroy(error);
  };
}

/** A quarter of what Chrome accepts, four times what Node does. */
const maxLenientHeaderBytes = 65_536;

export type ReadOptions = { host: string; signal: AbortSignal } & Pick<DownloadLimits, 'idleMs'> &
  Partial<Pick<DownloadLimits, 'minRate'>>;

/**
 * Yields the chunks of a response body. Throws HttpFailure when the connection breaks, sends nothing for `idleMs` or less
 * than `minRate`, or the signal's reason. Always closes the connection, also when the reader stops early.
 */
export async function* readBody(
  response: IncomingMessage,
  { host, idleMs, minRate, signal }: ReadOptions,
): AsyncGenerator<Buffer> {
  const rate = rateLimit(host, minRate);
  const idleFailure = new HttpFailure('timeout', `${host} sent nothing for ${idleMs / 1000} s`);
  const idle = setTimeout(() => response.destroy(idleFailure), idleMs);
  const onAbort = () => response.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    for await (const [chunk] of bodies.get(response) ?? []) {
      rate.arrived(chunk.length);
      yield chunk;
      idle.refresh();
      rate.resume();
    }
    if (!response.complete) throw response.errored;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof HttpFailure ? error : exchangeFailure(host, error);
  } finally {
    clearTimeout(idle);
    signal.removeEventListener('abort', onAbort);
    response.destroy();
  }
}

/** Measures what arrives in the time for which the body was waited for: a slow reader is no slow host. */
function rateLimit(
  host: string,
  { bytes: minBytes, windowMs }: DownloadLimits['minRate'] = { bytes: 0, windowMs: 1_000 },
) {
  let [receivedBytes, windowBytes, waitedMs] = [0, 0, 0];
  let waitsSince = performance.now();
  return {
    arrived(bytes: number) {
      receivedBytes += bytes;
      windowBytes += bytes;
      waitedMs += performance.now() - waitsSince;
      if (waitedMs < windowMs) return;
      if (windowBytes < minBytes) {
        const message = `${host} sent only ${windowBytes} bytes in ${Math.round(waitedMs / 1000)} s; the minimum is ${minBytes}`;
        throw new SlowHostFailure(message, receivedBytes);
      }
      [windowBytes, waitedMs] = [0, 0];
    },
    resume() {
      waitsSince = performance.now();
    },
  };
}
