import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, parseIpAddress } from '../../../core/net/check-url.ts';

const isPublic = (text: string) => {
  const address = parseIpAddress(text);
  return address !== undefined && isPublicAddress(address);
};

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0'])(
    'is true for %s',
    (address) => expect(isPublic(address)).toBe(true),
  );

  it.each(['2606:4700:4700::1111', '2001:4860:4860::8888', '2001:200::', '2a00:1450:4001:830::200e'])(
    'is true for %s',
    (address) => expect(isPublic(address)).toBe(true),
  );

  /** Of each reserved range: see the special-purpose registries of IANA. */
  const notPublic =
    '0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 ' +
    '169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.31.196.1 192.88.99.1 ' +
    '192.168.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ' +
    '::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b:1::1 ' +
    '100::1 2001::1 2001:20::1 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fd00:ec2::254 fc00::1 ' +
    'fe80::1 fe80::1%eth0 fec0::1 ff02::1';

  it.each(notPublic.split(' '))('is false for %s', (address) => expect(isPublic(address)).toBe(false));

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
      .tuple(fc.constantFrom('100.64.0', '172.16.0', '192.0.0', '198.17.255', '198.20.0', '223.255.255'), fc.nat(255))
      .map(([network, host]) => `${network}.${host}`);
    fc.assert(
      fc.property(fc.oneof(anyAddress, nearAnEdge), (address) => isPublic(address) === !blocked.check(address)),
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
  it.each(['', 'example.com', '1.2.3.4/x', '1.2.3.4@x', '1.2.3.256', ':', '::1::', '1::2::3', 'fe80::1%2', '[::1'])(
    'is undefined for %j',
    (text) => expect(parseIpAddress(text)).toBeUndefined(),
  );

  it.each([
    ['0:0:0:0:0:0:0:1', '::1'],
    ['[2001:DB8:0:0:1::1]', '2001:db8::1:0:0:1'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
    ['127.1', '127.0.0.1'],
  ])('parses %s as %s', (text, canonical) => expect(parseIpAddress(text)?.text).toBe(canonical));

  it('parses the same address from full and abbreviated notation', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (hextets) => {
        const digits = hextets.map((hextet) => hextet.toString(16));
        const full = digits.map((hextet) => hextet.padStart(4, '0')).join(':');
        expect(parseIpAddress(digits.join(':'))).toEqual(parseIpAddress(full));
      }),
    );
  });
});
