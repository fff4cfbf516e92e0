import type { KeyGrant, KeyRecord } from './key-record.ts';

/** The keys that a key created, those that they created, and so on. */
export function descendantsOf(hash: string, records: readonly KeyRecord[]): KeyRecord[] {
  return records.filter(({ ancestors }) => ancestors.includes(hash));
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
    ({ hash, ancestors, expiresAt }) =>
      !isExpired({ expiresAt }, now) &&
      ancestors.every((ancestor) => hashes.has(ancestor)) &&
      isManagedBy({ hash, ancestors }, manager),
  );
}

/** A session (`manager` undefined) manages all keys of its owner, a key itself and its descendants. */
export function isManagedBy(
  { hash, ancestors }: Pick<KeyGrant, 'hash' | 'ancestors'>,
  manager: KeyGrant | undefined,
): boolean {
  return manager === undefined || hash === manager.hash || ancestors.includes(manager.hash);
}

export function isExpired({ expiresAt }: { expiresAt?: string | undefined }, now: Date): boolean {
  return expiresAt !== undefined && expiresAt <= now.toISOString();
}
