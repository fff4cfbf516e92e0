import * as z from 'zod';

export const uploadDaySchema = z.object({
  bytes: z.int().min(0),
  /** Counts the writes. A write requires the version that was read. */
  version: z.int().min(0),
  /** Ids of the latest uploads, by which a repeated write is recognized. */
  latestIds: z.array(z.string()),
});

export type UploadDay = z.infer<typeof uploadDaySchema>;

export type AnnouncedUpload = { ownerId: string; uploadId: string; sizeBytes: number; now: Date };

export const emptyUploadDay: UploadDay = { bytes: 0, version: 0, latestIds: [] };

/** More than the writes of one owner that can overtake the retry of a write. */
const maxLatestIds = 100;

/**
 * Adds an upload to its day. `counted`: it was added before; `full`: the day would exceed `maxBytes`.
 */
export function countUpload(
  day: UploadDay,
  { uploadId, sizeBytes }: Pick<AnnouncedUpload, 'uploadId' | 'sizeBytes'>,
  maxBytes: number,
): UploadDay | 'counted' | 'full' {
  if (day.latestIds.includes(uploadId)) return 'counted';
  if (day.bytes + sizeBytes > maxBytes) return 'full';
  return {
    bytes: day.bytes + sizeBytes,
    version: day.version + 1,
    latestIds: [...day.latestIds, uploadId].slice(-maxLatestIds),
  };
}

/** The UTC day of a time, such as `2026-03-01`. */
export function utcDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

export function secondsToNextDay(now: Date): number {
  const next = Date.parse(`${utcDay(now)}T00:00:00.000Z`) + 24 * 3_600_000;
  return Math.ceil((next - now.getTime()) / 1000);
}
