import { describe, expect, it } from 'vitest';
import { mayReach, parseIpAddress, parseReachableAddresses } from '../../../core/net/check-url.ts';

function reaches(setting: string, address: string, port: number): boolean {
  const parsed = parseIpAddress(address);
  return parsed !== undefined && mayReach({ address: parsed, port }, parseReachableAddresses(setting));
}

describe('the list of reachable private addresses', () => {
  it('adds exactly the listed address and port', () => {
    expect(reaches('127.0.0.1:9000', '127.0.0.1', 9000)).toBe(true);
    expect(reaches('127.0.0.1:9000', '127.0.0.1', 9001)).toBe(false);
    expect(reaches('127.0.0.1:9000', '127.0.0.2', 9000)).toBe(false);
  });

  it('supports any port, IPv6, and localhost for both loopback addresses', () => {
    expect(reaches('10.0.0.5:*', '10.0.0.5', 1)).toBe(true);
    expect(reaches('10.0.0.5:443, [::1]:*', '::1', 65_535)).toBe(true);
    expect(reaches('localhost:80', '127.0.0.1', 80)).toBe(true);
    expect(reaches('localhost:80', '::1', 80)).toBe(true);
  });

  it('does not include the IPv4-mapped form of a listed address', () => {
    expect(reaches('127.0.0.1:*', '::ffff:127.0.0.1', 80)).toBe(false);
  });

  it('allows only public addresses if it is empty', () => {
    expect(parseReachableAddresses('')).toEqual([]);
    expect(reaches('', '127.0.0.1', 80)).toBe(false);
    expect(reaches('', '1.1.1.1', 80)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '127.0.0.1:',
    ':80',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:**',
    '::1:80',
    'minio:9000',
    '*:80',
    '10.0.0.0/8:80',
  ])('is an error with the invalid entry %s', (entry) =>
    expect(() => parseReachableAddresses(`127.0.0.1:1,${entry}`)).toThrow(`"${entry}"`),
  );
});
