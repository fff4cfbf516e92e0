import { emptyUsageCounter, type UsageCounter, type UsageCounters } from '../../core/jobs/usage-counter.ts';

/** Usage counters in memory: one for each owner. `onWritten` gets a counter after each write. */
export function memoryUsageCounters({
  onWritten,
}: {
  onWritten?: (ownerId: string, counter: UsageCounter) => void;
} = {}): UsageCounters {
  const owners = new Map<string, UsageCounter>();
  const of = (ownerId: string) => owners.get(ownerId) ?? emptyUsageCounter;
  return {
    read: async ({ ownerId }) => of(ownerId),
    write: async ({ ownerId }, counter) => {
      if (of(ownerId).version !== counter.version - 1) return false;
      owners.set(ownerId, counter);
      onWritten?.(ownerId, counter);
      return true;
    },
  };
}
