import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashApiKey, isWellFormedApiKey, newApiKey, previewApiKey } from '../../../core/access/key-record.ts';

const key = newApiKey((size) => Uint8Array.from({ length: size }, (_, n) => n * 5));

describe('a new API key', () => {
  it('starts with nte_ and has 52 characters, all of base62 after the prefix', () => {
    expect(key).toMatch(/^nte_[0-9A-Za-z]{48}$/);
    expect(key).toHaveLength(52);
  });

  it('is well formed for any random bytes', () => {
    const keys = Array.from({ length: 500 }, () => newApiKey(randomBytes));
    expect(keys.filter((one) => !isWellFormedApiKey(one))).toEqual([]);
  });

  it('draws a byte of 248 or above again, which would bias the alphabet', () => {
    const draws = [Uint8Array.from({ length: 42 }, () => 255), Uint8Array.from({ length: 42 }, () => 61)];
    expect(newApiKey(() => draws.shift() ?? new Uint8Array()).slice(4, 46)).toBe('z'.repeat(42));
  });

  it('uses each base62 character with equal probability', () => {
    const secrets = Array.from({ length: 248 }, (_, byte) =>
      newApiKey((size) => Uint8Array.from({ length: size }, () => byte)).charAt(4),
    );
    const counts = new Map<string, number>();
    for (const character of secrets) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect([...new Set(counts.values())]).toEqual([4]);
    expect(counts.size).toBe(62);
  });
});

describe('a malformed API key', () => {
  const altered = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
  it.each([
    ['nothing', ''],
    ['a character changed', altered],
    ['the last character changed', key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')],
    ['two characters swapped', key.slice(0, 4) + key[5] + key[4] + key.slice(6)],
    ['another prefix', `nta_${key.slice(4)}`],
    ['one character short', key.slice(0, -1)],
    ['one character long', `${key}0`],
    ['a space at the end', `${key} `],
    ['a newline at the end', `${key}\n`],
    ['a character outside of base62', `${key.slice(0, 10)}-${key.slice(11)}`],
  ])('is recognized: %s', (_, credential) => expect(isWellFormedApiKey(credential)).toBe(false));
});

it('an API key is stored as its SHA-256 in hex', () => {
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it('the preview of an API key has its first eight and last four characters', () => {
  expect(previewApiKey(`nte_ab12${'x'.repeat(40)}wxyz`)).toBe('nte_ab12…wxyz');
});

it('the checksum of an existing API key stays valid', () => {
  expect(isWellFormedApiKey('nte_bCnOzaBmNyZAlMxY9kLwX8jKvW7iJuV6hItU5gHsT41iVK4e')).toBe(true);
});
