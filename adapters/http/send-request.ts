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
  /** Until the head of the answer has arrived, counted from the open connection. */
  headMs: number;
  rules: ConnectionRules;
  /** Called with the IP address as soon as a connection is open. */
  onConnected?: (address: string) => void;
};

/**
 * Sends one request over a connection of its own, which is never used again, and gives the answer once its head has
 * arrived. Whoever takes the answer reads its body to the end or destroys it, and watches the signal meanwhile.
 * Throws HttpFailure, or the signal's reason.
 */
export async function sendRequest(sent: HttpRequest, network: Network): Promise<IncomingMessage> {
  const connection = await openConnection(sent.url, sent.rules, network);
  sent.onConnected?.(connection.address);
  const { host } = sent.url;
  const failure = () => new HttpFailure('timeout', `${host} did not answer within ${sent.headMs / 1000} s`);
  return withTimeLimit({ ms: sent.headMs, failure, parent: sent.rules.signal }, (signal) =>
    exchange(sent, connection, signal),
  );
}

async function exchange(
  sent: HttpRequest,
  { socket }: Connection,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { url, method, headers, body = '' } = sent;
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
    // A body that cannot be parsed is an error of the request alone: the answer would only seem cut off.
    outgoing.on('error', (error) => response.destroy(error));
    resolve(response);
  });
  // A switch to another protocol that nobody asked for.
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
