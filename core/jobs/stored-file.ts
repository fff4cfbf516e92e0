import * as z from 'zod';
import { fileRecordSchema } from '../media/outputs/file-record.ts';

/** A finished file in the job's record: what was measured, and its key in the media bucket. */
export const storedFileSchema = fileRecordSchema.extend({
  /** At a storage provider the file is elsewhere, and this key selects its URL. */
  key: z.string(),
  /** Where the file is, if it is not in the media bucket. */
  storage: z.object({ storageProviderId: z.string(), key: z.string() }).optional(),
});

export type StoredFile = z.infer<typeof storedFileSchema>;

/** The key prefix of all finished files of one attempt. */
export function attemptPrefix(jobId: string, attempt: number): string {
  return `jobs/${jobId}/${attempt}/`;
}

/**
 * The key of the object in the media bucket that names the owner of an attempt's files at a storage provider. A signature
 * of it and of a file name is the credential for that file.
 */
export function providerPointerKey({ jobId, attempt }: { jobId: string; attempt: number }): string {
  return `${attemptPrefix(jobId, attempt)}provider.json`;
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

/** The file name of a stored file: the last segment of its key. */
export function filenameOf({ key }: Pick<StoredFile, 'key'>): string {
  return key.split('/').at(-1) ?? '';
}

/** The URL of a file at a storage provider: a route of the API, with the signature of the attempt's pointer. */
export function providerFileUrl(file: {
  publicUrl: string;
  job: { jobId: string; attempt: number };
  name: string;
  signedUrl: string;
}): string {
  const { jobId, attempt } = file.job;
  const path = `/api/v1/jobs/${jobId}/stored-files/${attempt}/${file.name}`;
  return `${file.publicUrl}${path}${new URL(file.signedUrl).search}`;
}
