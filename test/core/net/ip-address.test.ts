import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, parseIpAddress } from '../../../core/net/ip-address.ts';

const isPublic = (text: string) => {
  const address = parseIpAddress(text);
  return address !== undefined && isPublicAddress(address);
};

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
  ])('is true for %s', (address) => expect(isPublic(address)).toBe(true));

  it.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2001:200::', '2a00:1450:4001:830::200e'])(
    'is true for %s',
    (address) => expect(isPublic(address)).toBe(true),
  );

  it.each([
    ['this host', '0.0.0.0'],
    ['private, 10', '10.1.2.3'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['the end of carrier-grade NAT', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['the end of loopback', '127.255.255.254'],
    ['the metadata service', '169.254.169.254'],
    ['the metadata of containers', '169.254.170.2'],
    ['private, 172.16', '172.16.0.1'],
    ['the end of 172.16/12', '172.31.255.255'],
    ['protocol assignments', '192.0.0.8'],
    ['documentation 1', '192.0.2.1'],
    ['AS112', '192.31.196.1'],
    ['6to4 relay', '192.88.99.1'],
    ['private, 192.168', '192.168.0.1'],
    ['benchmarks', '198.19.255.255'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped and public', '::ffff:8.8.8.8'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::127.0.0.1'],
    ['local NAT64', '64:ff9b:1::1'],
    ['discard only', '100::1'],
    ['Teredo', '2001::1'],
    ['ORCHIDv2', '2001:20::1'],
    ['documentation', '2001:db8::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['documentation, the later', '3fff::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fd00:ec2::254'],
    ['unique local, fc', 'fc00::1'],
    ['link local', 'fe80::1'],
    ['link local with a zone', 'fe80::1%eth0'],
    ['site local', 'fec0::1'],
    ['multicast', 'ff02::1'],
  ])('is false for %s: %s', (_name, address) => expect(isPublic(address)).toBe(false));

  it("agrees with Node's BlockList on every IPv4 address", () => {
    const blocked = new BlockList();
    for (const [address, prefix] of [
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.31.196.0', 24],
      ['192.52.193.0', 24],
      ['192.88.99.0', 24],
      ['192.168.0.0', 16],
      ['192.175.48.0', 24],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 4],
      ['240.0.0.0', 4],
    ] as const) {
      blocked.addSubnet(address, prefix);
    }
    const anyAddress = fc.ipV4();
    const nearAnEdge = fc
      .tuple(
        fc.constantFrom('100.64.0', '172.16.0', '192.0.0', '198.17.255', '198.20.0', '223.255.255'),
        fc.nat(255),
      )
      .map(([network, host]) => `${network}.${host}`);
    fc.assert(
      fc.property(
        fc.oneof(anyAddress, nearAnEdge),
        (address) => isPublic(address) === !blocked.check(address),
      ),
    );
  });

  it("agrees with Node's BlockList on every IPv6 address in every notation", () => {
    const global = new BlockList();
    global.addSubnet('2000::', 3, 'ipv6');
    const special = new BlockList();
    special.addSubnet('2001::', 23, 'ipv6');
    special.addSubnet('2001:db8::', 32, 'ipv6');
    special.addSubnet('2002::', 16, 'ipv6');
    special.addSubnet('3fff::', 20, 'ipv6');
    const nearAnEdge = fc
      .tuple(
        fc.constantFrom('2001:1ff', '2001:200', '2001:db8', '2001:db9', '2003:0', '3fff:fff', '3fff:1000'),
        fc.nat(0xffff),
      )
      .map(([network, host]) => `${network}::${host.toString(16)}`);
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV6(), nearAnEdge),
        (address) => isPublic(address) === (global.check(address, 'ipv6') && !special.check(address, 'ipv6')),
      ),
    );
  });
});

describe('parseIpAddress', () => {
  it.each([
    '',
    'example.com',
    '1.2.3.4/x',
    '1.2.3.4@x',
    '1.2.3.256',
    ':',
    '::1::',
    '1::2::3',
    'fe80::1%2',
    '[::1',
  ])('is undefined for %j', (text) => expect(parseIpAddress(text)).toBeUndefined());

  it.each([
    ['0:0:0:0:0:0:0:1', '::1'],
    ['[2001:DB8:0:0:1::1]', '2001:db8::1:0:0:1'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
    ['127.1', '127.0.0.1'],
  ])('parses %s as %s', (text, canonical) => expect(parseIpAddress(text)?.text).toBe(canonical));

  it('parses the same value from full and abbreviated notation', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (hextets) => {
        const address = parseIpAddress(hextets.map((hextet) => hextet.toString(16)).join(':'));
        const hex = hextets.map((hextet) => hextet.toString(16).padStart(4, '0')).join('');
        expect(address?.value).toBe(BigInt(`0x${hex}`));
      }),
    );
  });
});
