import { BlockList, type IPVersion, isIPv4 } from 'node:net';
import { maxUrlCharacters } from '@media-jobs/video/recipes';
import { AppError } from '../errors.ts';

export type UrlScheme = 'http' | 'https';

export type UrlRules = {
  schemes: readonly UrlScheme[];
  reachable: readonly ReachableAddress[];
  /** Default: `maxUrlCharacters`, those of a URL in a request. */
  maxCharacters?: number;
};

/** The parsed URL, or the reason why it is rejected: a sentence that does not contain the URL. */
export type UrlCheck = { url: URL; rejection?: undefined } | { url?: undefined; rejection: string };

/**
 * Checks the text of a URL without DNS: scheme, host, port, user info, and characters that parsers drop or read
 * differently. Rejects the ports that `fetch` blocks. A host name may still resolve to a forbidden address, so the
 * connection checks each address again.
 */
export function checkUrl(text: string, rules: UrlRules): UrlCheck {
  const rejection = findTextRejection(text, rules);
  if (rejection !== undefined) return { rejection };
  const url = URL.parse(text);
  if (url === null) return { rejection: 'The URL is not valid: check its host and port' };
  const hostRejection = findHostRejection(url, rules.reachable);
  return hostRejection === undefined ? { url } : { rejection: hostRejection };
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Whether a host name is `localhost` or below it (RFC 6761), with or without the final dot. */
export function isLocalhost(hostname: string): boolean {
  return /^(.+\.)?localhost\.?$/.test(hostname);
}

/** The reason to reject the text of a URL, whatever its host. */
export function findTextRejection(
  text: string,
  { schemes, maxCharacters = maxUrlCharacters }: Omit<UrlRules, 'reachable'>,
): string | undefined {
  if (text.length > maxCharacters) return `The URL is longer than ${maxCharacters} characters`;
  // `new URL` removes tabs and newlines, trims, and turns a backslash into a slash: the URL checked would differ from
  // the text.
  if (!/^[^\p{Cc}\p{Cs}\s\\]*$/u.test(text)) {
    return 'The URL must not contain spaces, control characters or backslashes: percent-encode them';
  }
  const [, scheme = '', authority] = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?/i.exec(text) ?? [];
  if (!schemes.some((allowed) => allowed === scheme.toLowerCase())) {
    return `The URL must start with ${schemes.map((allowed) => `${allowed}://`).join(' or ')}`;
  }
  if (authority === undefined || authority === '') return 'The URL has no host after its scheme';
  if (authority.includes('@')) return 'The URL must not contain a user name or password';
  return undefined;
}

function findHostRejection(url: URL, reachable: readonly ReachableAddress[]): string | undefined {
  const port = portOf(url);
  if (blockedPorts.has(port)) return `The URL's port ${port} is blocked: it belongs to another protocol`;
  const literal = ipAddressInHost(url.hostname);
  if (literal !== undefined && !mayReach({ address: literal, port }, reachable)) {
    return `The URL's host is the address ${literal.text}, which is not public`;
  }
  if (isLocalhost(url.hostname) && !loopbackAddresses.some((address) => mayReach({ address, port }, reachable))) {
    return "The URL's host is localhost, which is not public";
  }
  return undefined;
}

/** Throws AppError INVALID_URL, with the path and the reason, if the text of a URL is not allowed. */
export function assertAllowedUrl(text: string, path: string, rules: UrlRules): void {
  rejectUrl(path, checkUrl(text, rules).rejection);
}

/** Throws AppError INVALID_URL, with the path and the reason, if there is one. */
export function rejectUrl(path: string, rejection: string | undefined): void {
  if (rejection === undefined) return;
  throw new AppError('INVALID_URL', `${path}: ${rejection}`, { details: [{ path, message: rejection }] });
}

/**
 * Ports of protocols that could interpret an HTTP request as commands (mail, IRC, printers): the "bad ports" of
 * https://fetch.spec.whatwg.org/#port-blocking.
 */
export const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

type IpAddress = { text: string; family: IPVersion };

/**
 * Parses an IP address (IPv6 with or without brackets). Undefined for anything else, including a zone id
 * (`fe80::1%eth0`).
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (!/^[0-9a-fA-F:.]+$/.test(bare)) return undefined;
  const url = URL.parse(bare.includes(':') ? `http://[${bare}]/` : `http://${bare}/`);
  return url === null ? undefined : ipAddressInHost(url.hostname);
}

/**
 * The IP address in a URL's host, undefined for a name. Pass `URL.hostname`: the WHATWG parser has normalized every
 * notation (`0x7f.1`, `127.1`, full-width digits, `::ffff:127.0.0.1`).
 */
export function ipAddressInHost(hostname: string): IpAddress | undefined {
  if (hostname.startsWith('[')) return { text: hostname.slice(1, -1), family: 'ipv6' };
  return isIPv4(hostname) ? { text: hostname, family: 'ipv4' } : undefined;
}

/** The IPv4 ranges of IANA's special-purpose registry, multicast and the reserved class E. */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * The IPv6 global unicast range. Mapped, compatible, NAT64, unique local, link-local and site-local addresses are
 * outside it.
 */
const globalIpv6 = ['2000::/3'];

/** Special ranges inside it: protocol assignments with Teredo, documentation, 6to4, documentation. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const forbidden = rangesOf([...specialIpv4, ...specialIpv6]);
const globalUnicast = rangesOf(globalIpv6);

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [address = '', prefix] of ranges.map((range) => range.split('/'))) {
    list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

export function isPublicAddress({ text, family }: IpAddress): boolean {
  return !forbidden.check(text, family) && (family === 'ipv4' || globalUnicast.check(text, family));
}

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
  const { address, port } = target;
  const isListed = (entry: ReachableAddress) =>
    entry.address === address.text && (entry.port === '*' || entry.port === port);
  return isPublicAddress(address) || reachable.some(isListed);
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
