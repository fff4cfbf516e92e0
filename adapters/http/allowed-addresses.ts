import { isLocalhost, portOf } from '../../core/net/check-url.ts';
import { ipAddressInHost, parseIpAddress } from '../../core/net/ip-address.ts';
import { loopbackAddresses, mayReach, type ReachableAddress } from '../../core/net/reachable-address.ts';
import { codeOf, HttpFailure } from './http-failure.ts';
import type { Network } from './network.ts';

type ResolveOptions = {
  resolve: Network['resolve'];
  reachable: readonly ReachableAddress[];
  signal: AbortSignal;
};

/**
 * Resolves the host of a URL to its IP addresses. One forbidden address rejects all: a name that points both outside
 * and inside is an attack or a mistake. `localhost` is never looked up.
 */
export async function resolveAllowedAddresses(
  url: URL,
  { resolve, reachable, signal }: ResolveOptions,
): Promise<string[]> {
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
