import { connect } from 'node:net';
import { type Network, systemNetwork } from '../../../../adapters/http/network.ts';
import { parseReachableAddresses } from '../../../../core/net/reachable-address.ts';

/** Everything on loopback may be reached. */
export const loopback = parseReachableAddresses('localhost:*');

/** This machine's network, but with names resolved by a table. */
export function aNetworkThatResolves(names: Record<string, string[]>, more: Partial<Network> = {}): Network {
  return {
    ...systemNetwork,
    resolve: async (hostname) => names[hostname] ?? Promise.reject(notFound(hostname)),
    pause: async () => {},
    ...more,
  };
}

/**
 * A network in which every address is the loopback port given: public addresses can be connected to without leaving
 * this machine. It notes which addresses were dialled.
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
