import { randomBytes as cryptoRandomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A new id that sorts by time (UUIDv7, RFC 9562 section 5.7). */
export function newId(): string {
  return v7();
}

/** A new job's id (UUIDv7 of its creation time), so that jobs sort by id as by creation. */
export function newJobId(createdAt: Date): string {
  return v7({ msecs: createdAt.getTime() });
}

/** Bytes of the system's CSPRNG. */
export function randomBytes(size: number): Uint8Array {
  return cryptoRandomBytes(size);
}
