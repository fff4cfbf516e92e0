import type { IndexedJob, MetadataIndex } from '../../../core/jobs/metadata-index.ts';

type Entry = { ownerId: string; jobId: string; key: string; value: string };

/** The index of metadata in memory. */
export function memoryMetadataIndex(): MetadataIndex {
  const entries = new Map<string, Entry>();
  const entriesOf = ({ ownerId, jobId, metadata }: IndexedJob) =>
    Object.entries(metadata).map(([key, value]): Entry => ({ ownerId, jobId, key, value }));
  const nameOf = (entry: Entry) => JSON.stringify([entry.ownerId, entry.jobId, entry.key, entry.value]);
  return {
    add: async (job) => {
      for (const entry of entriesOf(job)) entries.set(nameOf(entry), entry);
    },
    remove: async (job) => {
      for (const entry of entriesOf(job)) entries.delete(nameOf(entry));
    },
    find: async ({ ownerId, key, value, first = '', last = '~', limit, order = 'desc' }) =>
      [...entries.values()]
        .filter((entry) => entry.ownerId === ownerId && entry.value === value)
        .filter((entry) => key === undefined || (entry.key === key && entry.jobId >= first && entry.jobId <= last))
        .map(({ jobId }) => jobId)
        .sort((one, other) => (one < other === (order === 'asc') ? -1 : 1))
        .slice(0, limit),
  };
}
