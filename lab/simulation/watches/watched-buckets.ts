import type { ListedObject, OpenWatched, WatchedObject } from '../../../core/watches/watch.ts';

export type Version = ListedObject & { bucket: string; removedAt?: Date };

/** Buckets in memory, some of which have versions. A removed or replaced object stays in `all` for the checker. */
export function memoryBuckets(versioned: ReadonlySet<string>) {
  const all: Version[] = [];
  const byBucket = new Map<string, Map<string, Version[]>>();
  const keysOf = (bucket: string) => {
    const keys = byBucket.get(bucket) ?? new Map<string, Version[]>();
    byBucket.set(bucket, keys);
    return keys;
  };
  const open: OpenWatched = async ({ bucket = '', prefix }) => ({
    prefix,
    providerPrefix: undefined,
    head: async (key) => keysOf(bucket).get(key)?.at(-1),
    // No header: an estimate is by the number of objects.
    read: async () => new Uint8Array(),
    async *list() {
      const keys = [...keysOf(bucket).keys()].filter((key) => key.startsWith(prefix)).sort();
      for (let at = 0; at < keys.length; at += 1000) {
        yield keys.slice(at, at + 1000).flatMap((key) => (keysOf(bucket).get(key) ?? []).map((one) => ({ ...one })));
      }
    },
  });
  return {
    all,
    open,
    put(bucket: string, key: string, sizeBytes: number, storedAt: Date): WatchedObject {
      const hasVersions = versioned.has(bucket);
      const id = String(all.length);
      const version: Version = { bucket, key, sizeBytes, storedAt, etag: `e${id}`, isLatest: true };
      if (hasVersions) version.versionId = `v${id}`;
      const before = keysOf(bucket).get(key) ?? [];
      for (const earlier of before) {
        earlier.isLatest = false;
        earlier.removedAt ??= storedAt;
      }
      keysOf(bucket).set(key, hasVersions ? [...before, version] : [version]);
      all.push(version);
      return { ...version };
    },
    remove(bucket: string, key: string, removedAt: Date): void {
      for (const version of keysOf(bucket).get(key) ?? []) version.removedAt ??= removedAt;
      keysOf(bucket).delete(key);
    },
  };
}
