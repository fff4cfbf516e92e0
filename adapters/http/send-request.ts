import { type IncomingMessage, request } from 'node:http';
import { exchangeFailure, HttpFailure } from './http-failure.ts';
import type { Network } from './network.ts';
import { type Connection, type ConnectionRules, openConnection } from './open-connection.ts';
import { withTimeLimit } from './with-time-limit.ts';

export type HttpRequest = {
  url: URL;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Time limit for the response head, from the moment the connection is open. */
  headMs: number;
  rules: ConnectionRules;
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
  const failure = () =>
    new HttpFailure('timeout', `${host} did not answer within ${outgoing.headMs / 1000} s`);
  return withTimeLimit({ ms: outgoing.headMs, failure, parent: outgoing.rules.signal }, (signal) =>
    exchange(outgoing, connection, signal),
  );
}

async function exchange(
  { url, method, headers, body = '' }: HttpRequest,
  { socket }: Connection,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (socket.destroyed) throw exchangeFailure(url.host, socket.errored);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request({
    createConnection: () => socket,
    method,
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
    // Node reports an unparsable body to the request only: without this the response would seem merely cut off.
    outgoing.on('error', (error) => response.destroy(error));
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

/**
 * Yields the chunks of a response body. Throws HttpFailure when the connection breaks or sends nothing for `idleMs`,
 * or the signal's reason. Always closes the connection, also when the reader stops early.
 */
export async function* readBody(
  response: IncomingMessage,
  { host, idleMs, signal }: { host: string; idleMs: number; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const idleFailure = new HttpFailure('timeout', `${host} sent nothing for ${idleMs / 1000} s`);
  const idle = setTimeout(() => response.destroy(idleFailure), idleMs);
  const onAbort = () => response.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    for await (const chunk of response) {
      yield chunk;
      idle.refresh();
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error === idleFailure ? idleFailure : exchangeFailure(host, error);
  } finally {
    clearTimeout(idle);
    signal.removeEventListener('abort', onAbort);
    response.destroy();
  }
}
