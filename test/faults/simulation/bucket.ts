/** The media bucket: which objects there are. */
export type Bucket = {
  put(key: string): void;
  /** Removes what lies under the prefix, but for what lies under `except`. */
  removeAll(prefix: string, except: string | undefined): void;
};

export function memoryBucket(
  onChange: (kind: 'object-stored' | 'object-removed', key: string) => void,
): Bucket {
  /** By job, the second part of every key, so that a removal looks at few. */
  const jobs = new Map<string, Set<string>>();
  const keysOf = (key: string) => {
    const [, jobId = ''] = key.split('/');
    const keys = jobs.get(jobId) ?? new Set();
    jobs.set(jobId, keys);
    return keys;
  };
  return {
    put: (key) => {
      keysOf(key).add(key);
      onChange('object-stored', key);
    },
    removeAll: (prefix, except) => {
      const keys = keysOf(prefix);
      for (const key of keys) {
        if (!key.startsWith(prefix) || (except !== undefined && key.startsWith(except))) continue;
        keys.delete(key);
        onChange('object-removed', key);
      }
    },
  };
}
