import {
  emptyUsageCounter,
  type UsageCounter,
  type UsageCounters,
  type UsageRef,
} from '../../../core/jobs/usage-counter.ts';

/** Usage counters in memory: one for each owner and group. `onWritten` gets a counter after each write. */
export function memoryUsageCounters({
  onWritten,
}: {
  onWritten?: (ref: UsageRef, counter: UsageCounter) => void;
} = {}): UsageCounters {
  const counters = new Map<string, UsageCounter>();
  const keyOf = ({ ownerId, group }: UsageRef) => JSON.stringify([ownerId, group?.caller, group?.recipe]);
  const of = (ref: UsageRef) => counters.get(keyOf(ref)) ?? emptyUsageCounter;
  return {
    read: async (ref) => of(ref),
    write: async (ref, counter) => {
      if (of(ref).version !== counter.version - 1) return false;
      counters.set(keyOf(ref), counter);
      onWritten?.(ref, counter);
      return true;
    },
  };
}
