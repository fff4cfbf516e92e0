import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { hashApiKey, previewApiKey } from './api-key.ts';

/** A stored API key: its hash, never the key itself. */
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

/** The record of a new key. */
export function createKeyRecord(
  key: string,
  { now, ...fields }: Pick<KeyRecord, 'ownerId' | 'keyId' | 'name'> & { now: Date },
): KeyRecord {
  return { ...fields, hash: hashApiKey(key), preview: previewApiKey(key), createdAt: now.toISOString() };
}

/** The owner of a valid key and its last use: what authentication reads. */
export type KeyOwner = { ownerId: string; keyId: string; lastUsedAt?: string | undefined };

/** The table of API keys. Lookups are strongly consistent and not cached, so a revoked key fails on the next request. */
export type KeyTable = {
  findByHash(hash: string): Promise<KeyOwner | undefined>;
  /** Writes the owner's item before the hash's item, so that every valid key is in its owner's list. */
  create(record: KeyRecord): Promise<void>;
  list(ownerId: string): Promise<KeyRecord[]>;
  /** Removes the hash's item first. False if the owner has no such key. */
  revoke(ref: { ownerId: string; keyId: string }): Promise<boolean>;
  /** Records the last use, unless a use after `unlessRecordedSince` is recorded already. */
  recordUse(
    ref: { ownerId: string; keyId: string; hash: string },
    use: { usedAt: Date; unlessRecordedSince: Date },
  ): Promise<void>;
};
