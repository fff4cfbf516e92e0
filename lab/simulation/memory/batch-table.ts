import { type Batch, type BatchRef, type BatchTable, batchSchema } from '../../../core/batches/batch.ts';

export function memoryBatchTable(): BatchTable {
  const stored = new Map<string, Batch>();
  const keyOf = ({ ownerId, batchId }: BatchRef) => `${ownerId} ${batchId}`;
  const all = () => [...stored.values()];
  return {
    get: async (ref) => structuredClone(stored.get(keyOf(ref))),
    async write(batch) {
      if ((stored.get(keyOf(batch))?.version ?? 0) !== batch.version - 1) return false;
      stored.set(keyOf(batch), batchSchema.parse(structuredClone(batch)));
      return true;
    },
    async list(ownerId, { limit, beforeId = '~' }) {
      const newest = all().sort((one, other) => (one.batchId < other.batchId ? 1 : -1));
      const listed = newest.filter((batch) => batch.ownerId === ownerId && batch.batchId < beforeId);
      const batches = listed.slice(0, limit);
      return { batches, lastId: listed.length > limit ? batches.at(-1)?.batchId : undefined };
    },
    due: async (now) =>
      all()
        .filter(({ dueAt }) => dueAt !== undefined && dueAt <= now.toISOString())
        .map(({ ownerId, batchId }) => ({ ownerId, batchId })),
  };
}
