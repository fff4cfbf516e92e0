import type { KeyGrant, KeyRecord } from './key-record.ts';

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
