import { randomBytes as cryptoRandomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A new id that sorts by time (UUIDv7, RFC 9562 section 5.7). */
export function newId(): string {
  return v7();
}

/** A new job's id, whose time is that of its creation: a list by creation and a list by id are one. */
export function newJobId(createdAt: Date): string {
  return v7({ msecs: createdAt.getTime() });
}

/** Bytes that nobody can guess, from the system. */
export function randomBytes(size: number): Uint8Array {
  return cryptoRandomBytes(size);
}
