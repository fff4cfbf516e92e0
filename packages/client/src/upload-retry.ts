import { ApiError } from './api-error.ts';
import type { Sleep } from './sleep.ts';

const maxAttempts = 5;
const firstDelayMs = 1_000;
const maxDelayMs = firstDelayMs * 2 ** (maxAttempts - 2);

/**
 * The delay before an upload is retried after `attempts` failures: it doubles each time, and is at least `Retry-After`.
 * Undefined if no retry can succeed, or not within the longest delay.
 */
export function uploadRetryDelayMs(error: unknown, attempts: number): number | undefined {
  if (!(error instanceof ApiError) || !error.retryable || attempts >= maxAttempts) return undefined;
  const delayMs = Math.max(firstDelayMs * 2 ** (attempts - 1), (error.retryAfterSeconds ?? 0) * 1000);
  return delayMs > maxDelayMs ? undefined : delayMs;
}

/**
 * Whether a signed URL may have expired, so that a new one may succeed. The API and S3 answer 403 for an expired URL, as for
 * an invalid one, and S3 400 if the credentials that signed it expired first.
 */
export function mayHaveExpired(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 400);
}

type Retried = { signal: AbortSignal; sleep: Sleep };

/** Repeats a call while it fails with an error that allows it; `attempts` counts from 1. */
export async function retryUpload<T>({ signal, sleep }: Retried, call: (attempts: number) => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await call(attempts);
    } catch (error) {
      const delayMs = uploadRetryDelayMs(error, attempts);
      if (delayMs === undefined) throw error;
      await sleep(delayMs, signal);
    }
  }
}

/** Repeats a POST only where it may have an idempotency key. */
export function repeatPost<T>(
  upload: Retried & { newId?: (() => string) | undefined },
  call: (attempts: number) => Promise<T>,
): Promise<T> {
  return upload.newId === undefined ? call(1) : retryUpload(upload, call);
}
