import type { Clock } from '../../core/jobs/ports.ts';
import type { StorageProviderRef } from '../../core/storage/provider.ts';

const keptMs = 60_000;
const maxKept = 100;

/**
 * Keeps opened storage providers for a minute: a player requests a range every few seconds, and each opening decrypts a
 * secret or assumes a role.
 */
export function keepOpen<T>(
  clock: Pick<Clock, 'now'>,
  open: (ref: StorageProviderRef) => Promise<T>,
): (ref: StorageProviderRef) => Promise<T> {
  const kept = new Map<string, { opened: Promise<T>; until: number }>();
  return ({ ownerId, storageProviderId }) => {
    const name = JSON.stringify([ownerId, storageProviderId]);
    const now = clock.now().getTime();
    const known = kept.get(name);
    if (known !== undefined && now < known.until) return known.opened;
    if (kept.size >= maxKept) kept.clear();
    const opened = open({ ownerId, storageProviderId });
    kept.set(name, { opened, until: now + keptMs });
    opened.catch(() => kept.delete(name));
    return opened;
  };
}
