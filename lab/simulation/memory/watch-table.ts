import type { ObjectRecord, WatchState, WatchTable } from '../../../core/watches/watch.ts';

const first: WatchState = { isPaused: false, objects: 0, jobs: 0, lagSeconds: 0 };

/** The states and records of watches in memory. */
export function memoryWatchTable(): WatchTable {
  const states = new Map<string, WatchState>();
  const watches = new Map<string, Map<string, ObjectRecord>>();
  const recordsOf = (name: string) => {
    const records = watches.get(name) ?? new Map<string, ObjectRecord>();
    watches.set(name, records);
    return records;
  };
  const change = (name: string, fields: Partial<WatchState>) => {
    states.set(name, { ...(states.get(name) ?? first), ...fields });
  };
  return {
    state: async (name) => states.get(name) ?? first,
    setPaused: async (name, isPaused) => change(name, { isPaused }),
    recordSweep: async (name, fields) => change(name, fields),
    add: async (name, record) => {
      const stored = recordsOf(name).get(record.hash);
      if (stored !== undefined && (record.again === undefined || stored.again === record.again)) return false;
      recordsOf(name).set(record.hash, record);
      return true;
    },
    get: async (name, hash) => recordsOf(name).get(hash),
    finish: async (name, hash, refused) => {
      const record = recordsOf(name).get(hash);
      if (record !== undefined) recordsOf(name).set(hash, { ...record, isDone: true, refused });
    },
    async *list(name) {
      yield [...recordsOf(name).values()];
    },
    remove: async (name, hashes) => {
      for (const hash of hashes) recordsOf(name).delete(hash);
    },
  };
}
