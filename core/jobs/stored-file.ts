import * as z from 'zod';
import { fileRecordSchema } from '../media/outputs/file-record.ts';

/** A finished file in the job's record: what was measured, and its key in the media bucket. */
export const storedFileSchema = fileRecordSchema.extend({
  /** At a storage provider the file is elsewhere, and only the name at the end of this key is used. */
  key: z.string(),
  /** Where the file is, if it is not in the media bucket. */
  storage: z.object({ storageProviderId: z.string(), key: z.string() }).optional(),
});

export type StoredFile = z.infer<typeof storedFileSchema>;

/** The key prefix of all finished files of one attempt. */
export function attemptPrefix(jobId: string, attempt: number): string {
  return `jobs/${jobId}/${attempt}/`;
}

/** The key prefix of all finished files of a job. */
export function jobPrefix(jobId: string): string {
  return `jobs/${jobId}/`;
}

/** The file name of a stored file: the last segment of its key. */
export function filenameOf({ key }: Pick<StoredFile, 'key'>): string {
  return key.split('/').at(-1) ?? '';
}
