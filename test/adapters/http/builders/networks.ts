import { connect } from 'node:net';
import { type Network, systemNetwork } from '../../../../adapters/http/open-connection.ts';
import { parseReachableAddresses } from '../../../../core/net/check-url.ts';

/** Allows all loopback addresses. */
export const loopback = parseReachableAddresses('localhost:*');

/** The system network with a table of DNS names. */
export function aNetworkThatResolves(names: Record<string, string[]>, more: Partial<Network> = {}): Network {
  return {
    ...systemNetwork,
    resolve: async (hostname) => names[hostname] ?? Promise.reject(notFound(hostname)),
    pause: async () => {},
    ...more,
  };
}

/**
 * A network that connects every address to a loopback port, so that public addresses work without leaving this machine.
 * It records the dialled addresses.
 */
export function aNetworkThatLeadsTo(port: number, resolve: Network['resolve']) {
  const dialled: string[] = [];
  const network: Network = {
    ...systemNetwork,
    resolve,
    dial: ({ addresses }) => {
      dialled.push(...addresses);
      return connect({ host: '127.0.0.1', port });
    },
    pause: async () => {},
  };
  return { network, dialled };
}

function notFound(hostname: string): Error {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
}
