import { lookup } from 'node:dns/promises';
import { connect, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as startTls, type TLSSocket } from 'node:tls';
import {
  ipAddressInHost,
  isLocalhost,
  loopbackAddresses,
  mayReach,
  parseIpAddress,
  portOf,
  type ReachableAddress,
} from '../../core/net/check-url.ts';
import { codeOf, HttpFailure } from './http-failure.ts';

export type ConnectionRules = {
  reachable: readonly ReachableAddress[];
  connectMs: number;
  signal: AbortSignal | undefined;
};

export type Connection = { socket: Socket | TLSSocket; address: string };

/** Network access of this machine. Tests replace the resolver, dialler, trusted roots and delays. */
export type Network = {
  resolve: (hostname: string) => Promise<string[]>;
  /** Starts a TCP connection to one of the addresses, which are all allowed. Does no lookup. */
  dial: (target: { addresses: string[]; port: number }) => Socket;
  /** PEM certificates to trust instead of the well-known roots. */
  trustedCertificates?: string;
  /** Resolves after the delay; rejects when the signal aborts. */
  pause: (delayMs: number, signal: AbortSignal) => Promise<void>;
};

/** Node gives up an address after 250 ms, which is less than one lost packet or a distant host takes. */
const attemptMs = 2_000;

export const systemNetwork: Network = {
  async resolve(hostname) {
    const answers = await lookup(hostname, { all: true });
    return answers.map(({ address }) => address);
  },

  // A name, not a literal address, so that Node calls `lookup` and tries the addresses in turn.
  dial: ({ addresses, port }) =>
    connect({
      host: 'allowed.invalid',
      port,
      lookup: lookupReturning(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptMs,
    }),

  pause: (delayMs, signal) => delay(delayMs, undefined, { signal }),
};

function lookupReturning(addresses: string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, { all }, callback) => {
    const [first = { address: '', family: 4 }] = answers;
    if (all === true) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}

/**
 * Runs an abortable operation with a time limit. Its signal aborts after `ms` with the error of `failure`, or with the
 * parent's reason. After an abort the promise rejects with that reason, whatever the operation throws. It settles only
 * after the operation has, so nothing continues in the background.
 */
export async function withTimeLimit<T>(
  { ms, failure, parent }: { ms: number; failure: () => Error; parent?: AbortSignal | undefined },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(failure()), ms);
  const signal = parent === undefined ? limit.signal : AbortSignal.any([parent, limit.signal]);
  try {
    signal.throwIfAborted();
    return await run(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Opens a new connection to the host of a URL. Looks the name up once, checks its addresses and connects to one of
 * them, so later DNS answers have no effect. Ignores proxy settings of the environment.
 */
export async function openConnection(url: URL, rules: ConnectionRules, network: Network): Promise<Connection> {
  const failure = () =>
    new HttpFailure('connect-timeout', `No connection to ${url.host} within ${rules.connectMs / 1000} s`);
  return withTimeLimit({ ms: rules.connectMs, failure, parent: rules.signal }, async (signal) => {
    const { resolve } = network;
    const addresses = await resolveAllowedAddresses(url, { resolve, reachable: rules.reachable, signal });
    const plain = network.dial({ addresses, port: portOf(url) });
    await ready(plain, 'connect', signal).catch((cause: unknown) => {
      const message = `No connection to ${url.host} (${codeOf(cause) ?? 'no code'})`;
      throw new HttpFailure('connect', message, { cause });
    });
    const address = plain.remoteAddress ?? '';
    if (url.protocol === 'http:') return { socket: plain, address };
    return { socket: await encrypt(plain, { url, signal, network }), address };
  });
}

async function encrypt(
  plain: Socket,
  { url, signal, network }: { url: URL; signal: AbortSignal; network: Network },
): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const encrypted = startTls({
    socket: plain,
    host,
    // SNI must not be an IP address (RFC 6066). The certificate is checked against `host` in any case.
    ...(isIP(host) === 0 && { servername: host }),
    // Explicit: the default depends on NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ca: network.trustedCertificates,
  });
  await ready(encrypted, 'secureConnect', signal).catch((cause: unknown) => {
    plain.destroy();
    const message = `No secure connection to ${url.host}: its certificate or its TLS was not accepted`;
    throw new HttpFailure('tls', `${message} (${codeOf(cause) ?? 'no code'})`, { cause });
  });
  return encrypted;
}

/**
 * Waits for a socket's event. An error, a close or an abort destroys the socket and rejects. The error listener stays:
 * an error before the next listener would end the process.
 */
async function ready(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onClose = () => reject(new Error(`closed before ${event}`));
  const onAbort = () => socket.destroy(signal.reason);
  socket.once(event, resolve).on('error', reject).once('close', onClose);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await promise;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    socket.off(event, resolve).off('close', onClose);
  }
}

type ResolveOptions = { resolve: Network['resolve']; reachable: readonly ReachableAddress[]; signal: AbortSignal };

/**
 * Resolves the host of a URL to its IP addresses. One forbidden address rejects all: a name that points both outside
 * and inside is an attack or a mistake. `localhost` is never looked up.
 */
async function resolveAllowedAddresses(url: URL, { resolve, reachable, signal }: ResolveOptions): Promise<string[]> {
  const port = portOf(url);
  if (isLocalhost(url.hostname)) {
    const allowed = loopbackAddresses.filter((address) => mayReach({ address, port }, reachable));
    if (allowed.length === 0) throw forbidden(url);
    return allowed.map(({ text }) => text);
  }
  const literal = ipAddressInHost(url.hostname);
  const answers = literal === undefined ? await lookUp(url, resolve, signal) : [literal.text];
  return answers.map((answer) => {
    const address = parseIpAddress(answer);
    if (address === undefined || !mayReach({ address, port }, reachable)) throw forbidden(url);
    return address.text;
  });
}

async function lookUp(url: URL, resolve: Network['resolve'], signal: AbortSignal): Promise<string[]> {
  const answers = await untilAborted(resolve(url.hostname), signal).catch((cause: unknown) => {
    throw unresolved(url, codeOf(cause), cause);
  });
  if (answers.length === 0) throw unresolved(url, 'ENODATA');
  return answers;
}

/** Node cannot cancel a lookup of the system resolver: stop waiting for it instead. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function unresolved(url: URL, code = 'no code', cause?: unknown): HttpFailure {
  return new HttpFailure('dns', `The name ${url.hostname} could not be resolved (${code})`, { cause });
}

function forbidden(url: URL): HttpFailure {
  return new HttpFailure('address-forbidden', `${url.hostname} leads to an address that is not public`);
}
