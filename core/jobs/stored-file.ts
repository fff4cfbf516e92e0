import * as z from 'zod';
import { fileRecordSchema } from '../media/outputs/file-record.ts';

/** One finished file as the job's record keeps it: what was measured, and where it lies in the media bucket. */
export const storedFileSchema = fileRecordSchema.extend({ key: z.string() });

export type StoredFile = z.infer<typeof storedFileSchema>;

/** Where everything that one attempt at a job writes lies in the media bucket. */
export function attemptPrefix(jobId: string, attempt: number): string {
  return `jobs/${jobId}/${attempt}/`;
}

/** Where everything that any attempt at a job writes lies. */
export function jobPrefix(jobId: string): string {
  return `jobs/${jobId}/`;
}
