import {
  type Client,
  sleep,
  storageRejectionError,
  storageUnreachableError,
  uploadFile as upload,
} from '@media-jobs/client';

export type Upload = {
  client: Client;
  file: File;
  signal: AbortSignal;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
};

/**
 * Uploads a file directly to the bucket. Resolves to its URL as an input.
 * @throws ApiError, or the signal's reason
 */
export function uploadFile({ client, file, signal, onProgress }: Upload): Promise<string> {
  const contentType = file.type === '' ? undefined : file.type;
  return upload({
    client,
    source: { name: file.name, sizeBytes: file.size, contentType },
    signal,
    sleep,
    newId: () => crypto.randomUUID(),
    putRange: ({ url, start, end, ...rest }) => putFile({ url, body: file.slice(start, end), ...rest }),
    onProgress: (bytes) => onProgress(Math.min(1, bytes / Math.max(1, file.size))),
  });
}

type PutRequest = {
  url: string;
  body: Blob;
  signal: AbortSignal;
  /** Called with the number of bytes sent so far. */
  onProgress: (bytes: number) => void;
};

/**
 * PUTs bytes to a signed URL. Resolves to the ETag. Uses XMLHttpRequest, because fetch reports no upload progress.
 * @throws ApiError if the storage rejects the bytes or cannot be reached, or the signal's reason
 */
function putFile({ url, body, signal, onProgress }: PutRequest): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  request.open('PUT', url);
  request.upload.onprogress = ({ loaded }) => onProgress(loaded);
  request.onload = () => {
    if (request.status >= 200 && request.status < 300) resolve(request.getResponseHeader('etag') ?? '');
    else reject(storageRejectionError('the file', request.status));
  };
  request.onerror = () => reject(storageUnreachableError());
  request.onabort = () => reject(signal.reason);
  request.onloadend = () => signal.removeEventListener('abort', abort);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) reject(signal.reason);
  else request.send(body);
  return promise;
}

/** The user cancelled the upload. It is no failure: the form says so neutrally. */
export class UploadCancelled extends Error {}
