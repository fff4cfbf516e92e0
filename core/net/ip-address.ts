/** An IP address in its one canonical spelling, and the number that its bits are. */
export type IpAddress = { text: string; bits: 32 | 128; value: bigint };

/**
 * Reads an IP address, as a resolver or a person writes it (IPv6 with or without brackets). Undefined for anything
 * else, a zone id (`fe80::1%eth0`) included.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (!/^[0-9a-fA-F:.]+$/.test(bare)) return undefined;
  const url = URL.parse(bare.includes(':') ? `http://[${bare}]/` : `http://${bare}/`);
  return url === null ? undefined : ipAddressInHost(url.hostname);
}

/**
 * The address that a URL's host is, undefined for a name. Takes `URL.hostname` only: the WHATWG parser has already
 * brought every spelling (`0x7f.1`, `127.1`, full-width digits, `::ffff:127.0.0.1`) to the form that is read here.
 */
export function ipAddressInHost(hostname: string): IpAddress | undefined {
  if (hostname.startsWith('[')) return ipv6(hostname.slice(1, -1));
  return /^\d+(\.\d+){3}$/.test(hostname) ? ipv4(hostname) : undefined;
}

function ipv4(text: string): IpAddress {
  return { text, bits: 32, value: joined(text.split('.').map(BigInt), 8n) };
}

function ipv6(text: string): IpAddress {
  const [head = '', tail] = text.split('::');
  const before = hextets(head);
  const after = hextets(tail ?? '');
  const zeros = new Array<bigint>(8 - before.length - after.length).fill(0n);
  return { text, bits: 128, value: joined([...before, ...zeros, ...after], 16n) };
}

function hextets(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((hextet) => BigInt(`0x${hextet}`));
}

function joined(groups: bigint[], groupBits: bigint): bigint {
  return groups.reduce((value, group) => (value << groupBits) | group, 0n);
}
