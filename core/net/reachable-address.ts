import { type IpAddress, isPublicAddress, parseIpAddress } from './ip-address.ts';

/** One host and port that may be reached although its address is not public. */
export type ReachableAddress = { address: string; port: number | '*' };

/** The addresses that the name `localhost` stands for, whatever a resolver says (RFC 6761). */
export const loopbackAddresses = ['127.0.0.1', '::1'].flatMap((text) => parseIpAddress(text) ?? []);

/**
 * Reads the setting REACHABLE_PRIVATE_ADDRESSES: a comma list of `host:port`, such as
 * `127.0.0.1:9000,[::1]:*,localhost:8080`. The host is an IP address (IPv6 in brackets) or `localhost`, which stands
 * for both loopback addresses; the port may be `*`. An empty text is an empty list. Throws, naming the entry.
 */
export function parseReachableAddresses(setting: string): ReachableAddress[] {
  return setting
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap(parseEntry);
}

/** Whether a connection may be opened: to any public address, and to what the list adds. */
export function mayReach(
  target: { address: IpAddress; port: number },
  reachable: readonly ReachableAddress[],
): boolean {
  return isPublicAddress(target.address) || reachable.some((entry) => matches(entry, target));
}

function matches(entry: ReachableAddress, { address, port }: { address: IpAddress; port: number }): boolean {
  return entry.address === address.text && (entry.port === '*' || entry.port === port);
}

function parseEntry(entry: string): ReachableAddress[] {
  const [, host = '', portText = ''] = /^(\[[^\]]+\]|[^:]+):(\*|\d{1,5})$/.exec(entry) ?? [];
  const port = portText === '*' ? portText : Number(portText);
  const addresses = host === 'localhost' ? loopbackAddresses : [parseIpAddress(host)];
  return addresses.map((address) => {
    if (address === undefined || portText === '' || (port !== '*' && (port < 1 || port > 65_535))) {
      throw new Error(
        `"${entry}" is not an address that may be reached: write host:port, where host is an IP address ` +
          '(IPv6 in brackets) or localhost, and port is a number or *',
      );
    }
    return { address: address.text, port };
  });
}
