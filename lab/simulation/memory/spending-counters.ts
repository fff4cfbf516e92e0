import { usageDateOf } from '../../../core/jobs/usage.ts';
import {
  amountsOf,
  confirmAt,
  emptySpendingCounter,
  maxReservations,
  reserveUnconfirmed,
  type SpendingCounter,
  type SpendingCounters,
  type SpendingRef,
} from '../../../core/spending/spending-counter.ts';

type Options = { onWritten?: (ref: SpendingRef, counter: SpendingCounter) => void };

export type MemorySpendingCounters = SpendingCounters & {
  /** When the first reservation has to be confirmed. */
  nextDueAt(): string | undefined;
};

/** The spending counters in memory. `onWritten` gets a counter after each write. */
export function memorySpendingCounters({ onWritten }: Options = {}): MemorySpendingCounters {
  const counters = new Map<string, SpendingCounter>();
  const refs = new Map<string, SpendingRef>();
  const keyOf = ({ ownerId, jobId, keyId }: SpendingRef) => [ownerId, usageDateOf(jobId).slice(0, 7), keyId].join(' ');
  const find = (ref: SpendingRef) => counters.get(keyOf(ref)) ?? emptySpendingCounter;
  const write = (ref: SpendingRef, counter: SpendingCounter) => {
    counters.set(keyOf(ref), counter);
    refs.set(keyOf(ref), ref);
    onWritten?.(ref, counter);
    return true;
  };
  const dueAt = (key: string) => {
    const [first] = Object.values(counters.get(key)?.unconfirmed ?? {}).sort();
    return first === undefined ? undefined : confirmAt(first);
  };
  return {
    read: async (ref) => find(ref),
    write: async (ref, counter) => find(ref).version === counter.version - 1 && write(ref, counter),
    reserve: async (ref, { limits, ...reservation }) => {
      const counter = find(ref);
      const { day, month } = amountsOf(counter, { day: usageDateOf(ref.jobId) });
      const { cost } = reservation;
      const mayReserve =
        counter.version > 0 &&
        counter.reserved[ref.jobId] === undefined &&
        Object.keys(counter.reserved).length < maxReservations &&
        day + cost <= limits.day &&
        month + cost <= limits.month;
      return mayReserve && write(ref, reserveUnconfirmed(counter, ref.jobId, reservation));
    },
    due: async (now) => [...refs].flatMap(([key, ref]) => ((dueAt(key) ?? '~') <= now.toISOString() ? [ref] : [])),
    nextDueAt: () => [...refs.keys()].flatMap((key) => dueAt(key) ?? []).sort()[0],
  };
}
