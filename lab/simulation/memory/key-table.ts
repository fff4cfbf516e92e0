import { childrenOf, type KeyRecord, type KeyTable, keyGrantSchema } from '../../../core/access/key-record.ts';

/** API keys in memory. */
export function memoryKeyTable(): KeyTable {
  const records = new Map<string, KeyRecord>();
  const uses = new Map<string, string>();
  const withUse = (record: KeyRecord): KeyRecord => {
    const lastUsedAt = uses.get(record.hash);
    return lastUsedAt === undefined ? record : { ...record, lastUsedAt };
  };

  const revoke = async (record: KeyRecord) => {
    for (const { hash } of [record, ...childrenOf(record.hash, [...records.values()])]) records.delete(hash);
  };

  return {
    findByHash: async (hash) => {
      const record = records.get(hash);
      return record && keyGrantSchema.parse(withUse(record));
    },
    find: async ({ ownerId, keyId }) => {
      const record = [...records.values()].find((one) => one.ownerId === ownerId && one.keyId === keyId);
      return record && withUse(record);
    },
    create: async (record) => void records.set(record.hash, record),
    replace: async (record, before) => {
      const current = [...records.values()].find(
        ({ ownerId, keyId }) => ownerId === record.ownerId && keyId === record.keyId,
      );
      if (current?.hash !== before?.hash) return false;
      if (before !== undefined) await revoke(before);
      records.set(record.hash, record);
      return true;
    },
    list: async (ownerId) =>
      [...records.values()]
        .filter((record) => record.ownerId === ownerId)
        .sort((a, b) => (a.keyId < b.keyId ? -1 : 1))
        .map(withUse),
    revoke,
    remove: async (removed) => {
      for (const { hash } of removed) records.delete(hash);
    },
    recordUse: async ({ hash }, { usedAt, unlessRecordedSince }) => {
      const lastUse = uses.get(hash);
      if (!records.has(hash) || (lastUse !== undefined && lastUse > unlessRecordedSince.toISOString())) return;
      uses.set(hash, usedAt.toISOString());
    },
  };
}
