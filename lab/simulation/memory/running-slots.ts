import { formatSlot, maxRemembered, type RunningSlots, type Slot } from '../../../core/jobs/slots.ts';

/** The slots of running jobs in memory. `onChanged` gets an owner's slots after each change. */
export function memoryRunningSlots({
  onChanged,
}: {
  onChanged?: (ownerId: string, slots: readonly Slot[]) => void;
} = {}): RunningSlots {
  const owners = new Map<string, { slots: Map<string, Slot>; workers: Set<string>; waiting: Set<string> }>();
  const of = (ownerId: string) => {
    const owner = owners.get(ownerId) ?? {
      slots: new Map<string, Slot>(),
      workers: new Set<string>(),
      waiting: new Set<string>(),
    };
    owners.set(ownerId, owner);
    return owner;
  };
  return {
    take: async (slot, { max, maxWorkers = Number.POSITIVE_INFINITY }) => {
      const { slots, workers, waiting } = of(slot.ownerId);
      if (slots.size >= max && !slots.has(formatSlot(slot))) return false;
      if (workers.size >= maxWorkers && !workers.has(formatSlot(slot))) return false;
      slots.set(formatSlot(slot), slot);
      workers.add(formatSlot(slot));
      waiting.delete(slot.jobId);
      onChanged?.(slot.ownerId, [...slots.values()]);
      return true;
    },
    releaseWorker: async (slot) => void of(slot.ownerId).workers.delete(formatSlot(slot)),
    waitFor: async ({ ownerId, jobId }, max) => {
      const { slots, waiting } = of(ownerId);
      if (slots.size < max) return false;
      if (waiting.size < maxRemembered) waiting.add(jobId);
      return true;
    },
    free: async (slot) => {
      const { slots, workers, waiting } = of(slot.ownerId);
      const taken = slots.size;
      slots.delete(formatSlot(slot));
      workers.delete(formatSlot(slot));
      onChanged?.(slot.ownerId, [...slots.values()]);
      const jobId = [...waiting].sort()[0];
      if (jobId === undefined) return { taken, next: undefined };
      waiting.delete(jobId);
      return { taken, next: { ownerId: slot.ownerId, jobId } };
    },
    list: async ({ ownerId }) => [...of(ownerId).slots.values()],
    isFull: async ({ ownerId }, max) => of(ownerId).slots.size >= max,
    jobs: async (ownerId) => [...new Set([...of(ownerId).slots.values()].map(({ jobId }) => jobId))],
  };
}
