import { entryName, maxRemembered, type RunningEntry, type RunningLimit } from '../../../core/jobs/running-limit.ts';

/** The limit of running jobs in memory. `onChanged` gets an owner's entries after each change. */
export function memoryRunningLimit({
  onChanged,
}: {
  onChanged?: (ownerId: string, entries: readonly RunningEntry[]) => void;
} = {}): RunningLimit {
  const owners = new Map<string, { entries: Map<string, RunningEntry>; workers: Set<string>; waiting: Set<string> }>();
  const of = (ownerId: string) => {
    const owner = owners.get(ownerId) ?? {
      entries: new Map<string, RunningEntry>(),
      workers: new Set<string>(),
      waiting: new Set<string>(),
    };
    owners.set(ownerId, owner);
    return owner;
  };
  return {
    enter: async (entry, { max, maxWorkers = Number.POSITIVE_INFINITY }) => {
      const { entries, workers, waiting } = of(entry.ownerId);
      if (entries.size >= max && !entries.has(entryName(entry))) return false;
      if (workers.size >= maxWorkers && !workers.has(entryName(entry))) return false;
      entries.set(entryName(entry), entry);
      workers.add(entryName(entry));
      waiting.delete(entry.jobId);
      onChanged?.(entry.ownerId, [...entries.values()]);
      return true;
    },
    releaseWorker: async (entry) => void of(entry.ownerId).workers.delete(entryName(entry)),
    waitFor: async ({ ownerId, jobId }, max) => {
      const { entries, waiting } = of(ownerId);
      if (entries.size < max) return false;
      if (waiting.size < maxRemembered) waiting.add(jobId);
      return true;
    },
    leave: async (entry) => {
      const { entries, workers, waiting } = of(entry.ownerId);
      const running = entries.size;
      entries.delete(entryName(entry));
      workers.delete(entryName(entry));
      onChanged?.(entry.ownerId, [...entries.values()]);
      const jobId = [...waiting].sort()[0];
      if (jobId === undefined) return { running, next: undefined };
      waiting.delete(jobId);
      return { running, next: { ownerId: entry.ownerId, jobId } };
    },
    list: async ({ ownerId }) => [...of(ownerId).entries.values()],
    isFull: async ({ ownerId }, max) => of(ownerId).entries.size >= max,
    jobs: async (ownerId) => [...new Set([...of(ownerId).entries.values()].map(({ jobId }) => jobId))],
  };
}
