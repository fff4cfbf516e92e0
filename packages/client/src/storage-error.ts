import { ApiError } from './api-error.ts';

/** The codes of responses of a storage, which are not the API's, begin with it. */
const storageCode = 'STORAGE_';

/** The error for a response other than 2xx to a signed URL. `subject` is a file name, or for example `the download`. */
export function storageRejectionError(subject: string, status: number): ApiError {
  const message = `The storage rejected ${subject} (${status}).`;
  return new ApiError({ status, code: `${storageCode}${status}`, message, retryable: status >= 500 });
}

export function isStorageRejection({ code }: Pick<ApiError, 'code'>): boolean {
  return code.startsWith(storageCode);
}

/** The error for a request to a signed URL that got no response, or only a part of it. */
export function storageUnreachableError(cause?: unknown, message = 'The storage could not be reached.'): ApiError {
  return new ApiError({ status: 0, code: 'UNREACHABLE', message, retryable: true, cause });
}
