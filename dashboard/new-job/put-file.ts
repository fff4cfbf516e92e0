import { ApiError } from '../../client/api-error.ts';

export type PutRequest = {
  url: string;
  body: Blob;
  signal: AbortSignal;
  /** Called with the bytes that have gone up so far. */
  onProgress: (bytes: number) => void;
};

/**
 * PUTs bytes to a signed URL and gives the ETag of what was stored. By XMLHttpRequest, since fetch does not tell how
 * far an upload is.
 * @throws ApiError where the storage refuses or cannot be reached; the signal's reason where it aborts
 */
export function putFile({ url, body, signal, onProgress }: PutRequest): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  request.open('PUT', url);
  request.upload.onprogress = ({ loaded }) => onProgress(loaded);
  request.onload = () => {
    if (request.status >= 200 && request.status < 300) resolve(request.getResponseHeader('etag') ?? '');
    else reject(refusal(request.status));
  };
  request.onerror = () => reject(refusal(0));
  request.onabort = () => reject(signal.reason);
  request.onloadend = () => signal.removeEventListener('abort', abort);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) reject(signal.reason);
  else request.send(body);
  return promise;
}

function refusal(status: number): ApiError {
  return new ApiError({
    status,
    code: status === 0 ? 'UNREACHABLE' : `HTTP_${status}`,
    message: status === 0 ? 'The storage could not be reached.' : `The storage refused the file (${status}).`,
    retryable: status === 0 || status >= 500,
  });
}
