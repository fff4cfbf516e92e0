import { storageRejectionError, storageUnreachableError } from './storage-error.ts';
import type { RangePut } from './upload.ts';

/** PUTs a range of a file to a signed URL and returns its ETag. */
export async function putBlob(file: Blob, { url, start, end, signal, onProgress }: RangePut): Promise<string> {
  const response = await fetch(url, { method: 'PUT', body: file.slice(start, end), signal }).catch((cause: unknown) => {
    if (signal.aborted) throw signal.reason;
    throw storageUnreachableError(cause);
  });
  await response.body?.cancel().catch(() => undefined);
  if (!response.ok) throw storageRejectionError('the file', response.status);
  onProgress(end - start);
  return response.headers.get('etag') ?? '';
}
