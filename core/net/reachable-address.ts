import { type IpAddress, isPublicAddress, parseIpAddress } from './ip-address.ts';

/** An address and port that connections may use although the address is not public. */
export type ReachableAddress = { address: string; port: number | '*' };

/** The addresses of `localhost`, whatever a resolver answers (RFC 6761). */
export const loopbackAddresses = ['127.0.0.1', '::1'].flatMap((text) => parseIpAddress(text) ?? []);

/**
 * Parses the setting REACHABLE_PRIVATE_ADDRESSES: comma-separated `host:port`, such as
 * `127.0.0.1:9000,[::1]:*,localhost:8080`. The host is an IP address (IPv6 in brackets) or `localhost`, which means both
 * loopback addresses. The port may be `*`.
 * @throws Error that names the invalid entry
 */
export function parseReachableAddresses(setting: string): ReachableAddress[] {
  return setting
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .flatMap(parseEntry);
}

/** Whether a connection is allowed: the address is public or the list contains it. */
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
