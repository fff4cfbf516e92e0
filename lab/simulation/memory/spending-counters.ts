import { usageDateOf } from '../../../core/jobs/usage.ts';
import {
  emptySpendingCounter,
  type SpendingCounter,
  type SpendingCounters,
  type SpendingRef,
} from '../../../core/spending/spending-counter.ts';

type Options = { onWritten?: (ref: SpendingRef, counter: SpendingCounter) => void };

/** The spending counters in memory. `onWritten` gets a counter after each write. */
export function memorySpendingCounters({ onWritten }: Options = {}): SpendingCounters {
  const counters = new Map<string, SpendingCounter>();
  const keyOf = ({ ownerId, jobId, keyId }: SpendingRef) =>
    [ownerId, usageDateOf(jobId).slice(0, 7), keyId].join(' ');
  const find = (ref: SpendingRef) => counters.get(keyOf(ref)) ?? emptySpendingCounter;
  return {
    read: async (ref) => find(ref),
    write: async (ref, counter) => {
      if (find(ref).version !== counter.version - 1) return false;
      counters.set(keyOf(ref), counter);
      onWritten?.(ref, counter);
      return true;
    },
  };
}
