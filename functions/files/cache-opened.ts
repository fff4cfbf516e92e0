import type { Clock, FileStorage } from '../../core/jobs/ports.ts';
import type { StorageProviderRef } from '../../core/storage/provider.ts';

type Open = (ref: StorageProviderRef) => Promise<FileStorage>;

const cacheMs = 60_000;
const maxCached = 100;

/**
 * Caches opened storage providers for a minute: a player requests a range every few seconds, and each opening decrypts a
 * secret or assumes a role.
 */
export function cacheOpened(clock: Pick<Clock, 'now'>, open: Open): Open {
  const cached = new Map<string, { opened: Promise<FileStorage>; until: number }>();
  return ({ ownerId, storageProviderId }) => {
    const name = JSON.stringify([ownerId, storageProviderId]);
    const now = clock.now().getTime();
    const known = cached.get(name);
    if (known !== undefined && now < known.until) return known.opened;
    if (cached.size >= maxCached) cached.clear();
    const opened = open({ ownerId, storageProviderId });
    cached.set(name, { opened, until: now + cacheMs });
    opened.catch(() => cached.delete(name));
    return opened;
  };
}
