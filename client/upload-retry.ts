import { ApiError } from './api-error.ts';

const mostTries = 5;
const firstPauseMs = 1_000;

/** Whether what has failed so many times is tried again: networks of people who upload films are not always good ones. */
export function shouldRetryUpload(error: unknown, tries: number): boolean {
  return error instanceof ApiError && error.retryable && tries < mostTries;
}

/** How long to wait after so many tries: a network that has gone is not back at once. */
export function uploadRetryDelayMs(tries: number): number {
  return firstPauseMs * 2 ** (tries - 1);
}

/**
 * Whether a signed URL may have been refused because it has ended, which a new one would not be. S3 answers 403 once its
 * time is over, as it does where it never was good, and 400 once the credentials that signed it have ended before.
 */
export function mayHaveExpired(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 400);
}

/** Waits; rejects with the signal's reason when that aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;
