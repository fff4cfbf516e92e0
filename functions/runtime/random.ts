import { randomBytes as cryptoRandomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A new id that sorts by time (UUIDv7, RFC 9562 section 5.7). */
export function newId(): string {
  return v7();
}

export function randomBytes(size: number): Uint8Array {
  return cryptoRandomBytes(size);
}
