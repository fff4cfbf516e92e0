import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { speeds } from '@media-jobs/video/encoding';
import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { allScopes, defaultScopes } from './scopes.ts';

const maxUsd = 1_000_000;

const usd = (description: string) => z.number().min(0).max(maxUsd).optional().meta({ description });

export const spendingLimitsShape = {
  usdPerDay: usd('Dollars that the jobs created in one UTC day may cost together.'),
  usdPerMonth: usd('Dollars that the jobs created in one UTC month may cost together.'),
};

export type SpendingLimits = { usdPerDay?: number | undefined; usdPerMonth?: number | undefined };

const count = z.int().min(0);

/**
 * Limits of one API key. Each is compared with the use of the key's owner by all of its keys, and has an effect only
 * below the owner's own limit. Exception: those of spending, which only the jobs of the key and of the keys that it created use.
 */
export const keyLimitsSchema = z.strictObject({
  maxUnfinishedJobs: count.optional().describe('Jobs that have not ended.'),
  maxUploadBytesPerDay: count.optional().describe('Bytes of uploads created in one UTC day.'),
  maxRedeliveriesPerJob: count.optional().describe('Webhook redeliveries of one job.'),
  ...spendingLimitsShape,
});

export type KeyLimits = z.infer<typeof keyLimitsSchema>;

export const scopeSchema = z.enum(allScopes);

/** What a key can do, and until when. */
export const keyAccessSchema = z.object({
  scopes: z.array(scopeSchema).default(defaultScopes),
  /** Unset: until it is revoked. */
  expiresAt: timestampSchema.optional(),
  limits: keyLimitsSchema.default({}),
  /** Of jobs whose request names no speed. Unset: the stage's. */
  defaultSpeed: z.enum(speeds).optional(),
  /** The hash of the key that created this one, which is valid only while that is. Unset if a session did. */
  parentHash: z.string().optional(),
});

/** A stored API key: its hash, never the key itself. */
export const keyRecordSchema = keyAccessSchema.extend({
  ownerId: z.string(),
  keyId: z.string(),
  name: z.string(),
  /** Hex SHA-256 of the key. */
  hash: z.string(),
  preview: z.string(),
  createdAt: timestampSchema,
  lastUsedAt: timestampSchema.optional(),
  /** The id of the key that created this one; unset if a session did. */
  parentId: z.string().optional(),
});

export type KeyAccess = z.infer<typeof keyAccessSchema>;
export type KeyRecord = z.infer<typeof keyRecordSchema>;

/** What authentication reads of a key. */
export const keyGrantSchema = keyRecordSchema.omit({ name: true, preview: true, createdAt: true, parentId: true });

export type KeyGrant = z.infer<typeof keyGrantSchema>;

type NewKey = Pick<KeyRecord, 'ownerId' | 'keyId' | 'name' | 'parentId'> & Partial<KeyAccess> & { now: Date };

/** The record of a new key. Without an access it has the default scopes, no expiry and no limits. */
export function createKeyRecord(key: string, { now, ...fields }: NewKey): KeyRecord {
  return keyRecordSchema.parse({
    ...fields,
    hash: hashApiKey(key),
    preview: previewApiKey(key),
    createdAt: now.toISOString(),
  });
}

/** The table of API keys. Lookups are strongly consistent and not cached, so a revoked key fails on the next request. */
export type KeyTable = {
  /** The key of this hash, expired or not. Does not look at its parent. */
  findByHash(hash: string): Promise<KeyGrant | undefined>;
  find(ref: { ownerId: string; keyId: string }): Promise<KeyRecord | undefined>;
  /** Writes the owner's item before the hash's item, so that every valid key is in its owner's list. */
  create(record: KeyRecord): Promise<void>;
  /**
   * Puts a key in the place of the one before of the same id, or of none: first revokes that one and its children. False if
   * the key of this id is another one by now; then nothing of `record` is valid.
   */
  replace(record: KeyRecord, before: KeyRecord | undefined): Promise<boolean>;
  list(ownerId: string): Promise<KeyRecord[]>;
  /**
   * Removes the key's hash item first, which ends its children too, so that no number of keys in the list delays it.
   * Then the items of its children. Its own item in the list goes last, so that a call that was interrupted can be
   * repeated.
   */
  revoke(record: KeyRecord): Promise<void>;
  /** Removes the items of keys that are no longer valid. */
  remove(records: readonly KeyRecord[]): Promise<void>;
  /** Records the last use, unless a use after `unlessRecordedSince` is recorded already. */
  recordUse(
    ref: { ownerId: string; keyId: string; hash: string },
    use: { usedAt: Date; unlessRecordedSince: Date },
  ): Promise<void>;
};

export function childrenOf(hash: string, records: readonly KeyRecord[]): KeyRecord[] {
  return records.filter(({ parentHash }) => parentHash === hash);
}

/**
 * The valid keys of an owner's records that a caller manages.
 * A key that was created while its parent was being revoked has a record, but is not valid.
 */
export function managedKeys(
  records: readonly KeyRecord[],
  { now, manager }: { now: Date; manager: KeyGrant | undefined },
): KeyRecord[] {
  const hashes = new Set(records.map(({ hash }) => hash));
  return records.filter(
    ({ hash, parentHash, expiresAt }) =>
      !isExpired({ expiresAt }, now) &&
      (parentHash === undefined || hashes.has(parentHash)) &&
      isManagedBy({ hash, parentHash }, manager),
  );
}

/** A session (`manager` undefined) manages all keys of its owner, a key itself and its children. */
export function isManagedBy(
  { hash, parentHash }: Pick<KeyGrant, 'hash' | 'parentHash'>,
  manager: KeyGrant | undefined,
): boolean {
  return manager === undefined || hash === manager.hash || parentHash === manager.hash;
}

export function isExpired({ expiresAt }: { expiresAt?: string | undefined }, now: Date): boolean {
  return expiresAt !== undefined && expiresAt <= now.toISOString();
}

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
