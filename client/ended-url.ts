import { ApiError } from './api-error.ts';

/**
 * Whether a signed URL may have been refused because it has ended, which a new one would not be. S3 answers 403 once its
 * time is over, as it does where it never was good, and 400 once the credentials that signed it have ended before.
 */
export function mayHaveExpired(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 400);
}
