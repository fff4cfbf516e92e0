import { lookup } from 'node:dns/promises';
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How this machine reaches others. Tests put a resolver, dialler, roots of trust and waiting of theirs in its place. */
export type Network = {
  /** Every address of a name, as text. */
  resolve: (hostname: string) => Promise<string[]>;
  /** Starts a TCP connection to one of the addresses, all of which have been judged. It looks nothing up. */
  dial: (target: { addresses: string[]; port: number }) => Socket;
  /** PEM certificates trusted in place of the well-known ones. */
  trustedCertificates?: string;
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

export const systemNetwork: Network = {
  async resolve(hostname) {
    const answers = await lookup(hostname, { all: true });
    return answers.map(({ address }) => address);
  },

  // The host is a name, so that Node asks `lookup` and tries the addresses in turn; a literal would skip it.
  dial: ({ addresses, port }) => connect({ host: 'allowed.invalid', port, lookup: answering(addresses) }),

  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};

function answering(addresses: string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, { all }, callback) => {
    const [first = { address: '', family: 4 }] = answers;
    if (all === true) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}
