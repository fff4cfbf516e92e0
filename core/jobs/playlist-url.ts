import { attemptPrefix } from './stored-file.ts';

/**
 * Where a file is opened that names others: at the API, which puts signed URLs in place of the names. The signature is
 * that of the file's own URL in the bucket.
 */
export function playlistUrl(place: { publicUrl: string; key: string; signedUrl: string }): string {
  const [, jobId, attempt, file] = place.key.split('/');
  return `${place.publicUrl}/api/v1/jobs/${jobId}/files/${attempt}/${file}${new URL(place.signedUrl).search}`;
}

/** Where that file lies in the bucket. */
export function playlistKey({ id, attempt, file }: { id: string; attempt: string; file: string }): string {
  return attemptPrefix(id, Number(attempt)) + file;
}
