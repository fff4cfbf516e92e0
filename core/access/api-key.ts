import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'nte_';
const secretLength = 42;
const checksumLength = 6;
const keyPattern = /^nte_[0-9A-Za-z]{48}$/;

/**
 * A new API key of 52 characters: `nte_`, 42 random base62 characters, and the CRC-32 of both in 6 base62 characters.
 * Rejection sampling: bytes of 248 and above are drawn again, so that all 62 characters are equally likely.
 */
export function newApiKey(randomBytes: (size: number) => Uint8Array): string {
  let secret = '';
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      if (byte < 248 && secret.length < secretLength) secret += alphabet[byte % 62];
    }
  }
  const body = prefix + secret;
  return body + checksum(body);
}

/** Whether length, alphabet and checksum are valid. Anything else is rejected without a database read. */
export function isWellFormedApiKey(credential: string): boolean {
  const body = credential.slice(0, -checksumLength);
  return keyPattern.test(credential) && credential === body + checksum(body);
}

/** The hex SHA-256, the only form in which a key is stored. Keys have 250 bits of entropy, so no salt is needed. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The preview of a key in lists: `nte_ab12…wxyz`. */
export function previewApiKey(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`;
}

function checksum(body: string): string {
  let remainder = crc32(body);
  let digits = '';
  for (let index = 0; index < checksumLength; index++) {
    digits = alphabet[remainder % 62] + digits;
    remainder = Math.floor(remainder / 62);
  }
  return digits;
}
