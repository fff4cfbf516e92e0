import { ApiError } from './api-error.ts';

const maxAttempts = 5;
const firstDelayMs = 1_000;

/** Whether to retry an upload after `attempts` failures. */
export function shouldRetryUpload(error: unknown, attempts: number): boolean {
  return error instanceof ApiError && error.retryable && attempts < maxAttempts;
}

/** The delay after `attempts` failures; it doubles each time. */
export function uploadRetryDelayMs(attempts: number): number {
  return firstDelayMs * 2 ** (attempts - 1);
}

/**
 * Whether a presigned URL may have expired, so that a new one may succeed. S3 answers 403 for an expired URL, as for an
 * invalid one, and 400 if the credentials that signed it expired first.
 */
export function mayHaveExpired(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 400);
}

/** Waits. Rejects with the signal's reason if it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;
