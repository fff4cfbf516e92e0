import * as z from 'zod';
import { fileRecordSchema } from '../media/outputs/file-record.ts';

/** A finished file in the job's record: what was measured, and its key in the media bucket. */
export const storedFileSchema = fileRecordSchema.extend({ key: z.string() });

export type StoredFile = z.infer<typeof storedFileSchema>;

/** The key prefix of all finished files of one attempt. */
export function attemptPrefix(jobId: string, attempt: number): string {
  return `jobs/${jobId}/${attempt}/`;
}

/** The key prefix of all finished files of a job. */
export function jobPrefix(jobId: string): string {
  return `jobs/${jobId}/`;
}

/**
 * The URL of a file that references others. It is a route of the API, which replaces the references with signed URLs. Its
 * signature is that of the file's own URL in the bucket.
 */
export function playlistUrl(file: { publicUrl: string; key: string; signedUrl: string }): string {
  const [, jobId, attempt, name] = file.key.split('/');
  return `${file.publicUrl}/api/v1/jobs/${jobId}/files/${attempt}/${name}${new URL(file.signedUrl).search}`;
}

/** The key of the file behind such a URL. */
export function playlistKey({ id, attempt, file }: { id: string; attempt: string; file: string }): string {
  return attemptPrefix(id, Number(attempt)) + file;
}
