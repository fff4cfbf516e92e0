import { lookup } from 'node:dns/promises';
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

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

type TimeLimit = { ms: number; failure: () => Error; parent?: AbortSignal | undefined };

/**
 * Runs an abortable operation with a time limit. Its signal aborts after `ms` with the error of `failure`, or with the
 * parent's reason. After an abort the promise rejects with that reason, whatever the operation throws. It settles only
 * after the operation has, so nothing continues in the background.
 */
export async function withTimeLimit<T>(
  { ms, failure, parent }: TimeLimit,
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
