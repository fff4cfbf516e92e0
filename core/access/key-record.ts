import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { hashApiKey, previewApiKey } from './api-key.ts';

/** An API key as it is kept: never the key itself. */
export const keyRecordSchema = z.object({
  ownerId: z.string(),
  keyId: z.string(),
  name: z.string(),
  /** Hex SHA-256 of the key. */
  hash: z.string(),
  preview: z.string(),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.optional(),
});

export type KeyRecord = z.infer<typeof keyRecordSchema>;

/** What is kept of a key that was made now. */
export function createKeyRecord(
  key: string,
  { now, ...named }: Pick<KeyRecord, 'ownerId' | 'keyId' | 'name'> & { now: Date },
): KeyRecord {
  return { ...named, hash: hashApiKey(key), preview: previewApiKey(key), createdAt: now.toISOString() };
}

/** Who owns a live key, and when it was last used: all that a request needs to know of it. */
export type KeyOwner = { ownerId: string; keyId: string; lastUsedAt?: string | undefined };

/** Where keys are. Look-ups are strongly consistent and never cached: a revoked key fails on the very next request. */
export type KeyTable = {
  findByHash(hash: string): Promise<KeyOwner | undefined>;
  /** Stores the owner's item first, then the hash's: no live key is ever missing from its owner's list. */
  create(record: KeyRecord): Promise<void>;
  list(ownerId: string): Promise<KeyRecord[]>;
  /** Removes the hash's item first. False where the owner has no such key. */
  revoke(ref: { ownerId: string; keyId: string }): Promise<boolean>;
  /** Notes the last use, unless one after `unlessRecordedSince` has been noted meanwhile. */
  recordUse(
    ref: { ownerId: string; keyId: string; hash: string },
    use: { usedAt: Date; unlessRecordedSince: Date },
  ): Promise<void>;
};
