import { type IpAddress, parseIpAddress } from './ip-address.ts';

/** Every IPv4 range that IANA's special-purpose registry lists, with multicast and the reserved class E. */
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
 * The only IPv6 space in use as global unicast. Mapped, compatible, NAT64, unique local, link and site local
 * addresses are all outside of it.
 */
const globalIpv6 = ['2000::/3'];

/** Inside of that: protocol assignments with Teredo, documentation, 6to4, documentation. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const forbidden = [...specialIpv4, ...specialIpv6].map(parseRange);
const globalUnicast = globalIpv6.map(parseRange);

/** Whether an address belongs to the public Internet: a host there answers anyone, whoever asks. */
export function isPublicAddress(address: IpAddress): boolean {
  if (forbidden.some((range) => contains(range, address))) return false;
  return address.bits === 32 || globalUnicast.some((range) => contains(range, address));
}

type Range = { base: IpAddress; hostBits: bigint };

function parseRange(text: string): Range {
  const [address = '', prefix] = text.split('/');
  const base = parseIpAddress(address);
  if (base === undefined) throw new Error(`${text} is not an address range`);
  return { base, hostBits: BigInt(base.bits - Number(prefix)) };
}

function contains({ base, hostBits }: Range, address: IpAddress): boolean {
  return base.bits === address.bits && base.value >> hostBits === address.value >> hostBits;
}
