import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'nte_';
const secretLength = 42;
const checksumLength = 6;
const form = /^nte_[0-9A-Za-z]{48}$/;

/**
 * A new API key, 52 characters: `nte_`, 42 base62 characters from `randomBytes` (bytes of 248 and above are drawn
 * again, so that all 62 are equally likely), and the CRC-32 of what precedes in 6 base62 characters.
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

/** Whether a credential can be a key at all; what fails here is refused without a look into the database. */
export function isWellFormedApiKey(credential: string): boolean {
  const body = credential.slice(0, -checksumLength);
  return form.test(credential) && credential === body + checksum(body);
}

/** The only form in which a key is stored: the hex SHA-256. Keys carry 250 bits of chance, so no salt is needed. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** How a list shows a key whose full value nobody can see again: `nte_ab12…wxyz`. */
export function previewApiKey(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
