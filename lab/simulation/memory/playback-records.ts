import type { PlaybackRecord, PlaybackRecords } from '../../../core/playback/edge-store.ts';

/** Playback records in memory. None goes. */
export function memoryPlaybackRecords(): PlaybackRecords {
  const records = new Map<string, PlaybackRecord>();
  const get: PlaybackRecords['get'] = async ({ ownerId, jobId }) => records.get(`${ownerId}#${jobId}`) ?? {};
  return {
    get,
    raise: async (ref, field, to) => {
      const record = await get(ref);
      if ((record[field] ?? '') >= to.toISOString()) return;
      records.set(`${ref.ownerId}#${ref.jobId}`, { ...record, [field]: to.toISOString() });
    },
  };
}
