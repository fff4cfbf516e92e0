import type { UploadLedger } from '../../../core/uploads/upload.ts';
import { countUpload, emptyUploadDay, type UploadDay, utcDay } from '../../../core/uploads/upload-day.ts';

/** The upload ledger in memory. */
export function memoryUploadLedger(): UploadLedger {
  const days = new Map<string, UploadDay>();
  const find = (ownerId: string, day: string) => days.get(`${ownerId}#${day}`) ?? emptyUploadDay;
  return {
    bytesOn: async (ownerId, day) => find(ownerId, day).bytes,
    add: async (upload, maxBytes) => {
      const day = utcDay(upload.now);
      const before = find(upload.ownerId, day);
      const after = countUpload(before, upload, maxBytes);
      if (after === 'full') return { added: false, bytes: before.bytes };
      if (after === 'counted') return { added: true, bytes: before.bytes };
      days.set(`${upload.ownerId}#${day}`, after);
      return { added: true, bytes: after.bytes };
    },
  };
}
