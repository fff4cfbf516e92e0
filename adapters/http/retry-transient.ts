import pRetry from 'p-retry';
import { HttpFailure, isTransient, SlowHostFailure, StatusError } from './http-failure.ts';
import type { Network } from './open-connection.ts';

const maxRetries = 5;
/** A connection that brought this many bytes is no failed attempt: servers and proxies end long ones. */
export const progressBytes = 1_024 * 1_024;

/** A worker waits and is billed: for a server that asks for more time, the job is requeued. */
const maxHeldMs = 1_000;
/** The same while a file is read: the bytes that arrived would be lost. */
export const maxHeldInFileMs = 20_000;

export function mayRetry(error: unknown): boolean {
  if (error instanceof SlowHostFailure) return error.receivedBytes >= progressBytes;
  return error instanceof HttpFailure ? isTransient(error) : error instanceof StatusError && error.retryable;
}

/**
 * Repeats a request that failed, five times at most, with pauses that double: after a broken connection, or a status such
 * as 429 or 503, then not before the time of its `Retry-After`.
 *
 * @throws the last error of the request; after an abort, the reason of the signal
 */
export function retryTransient<T>(
  { network, signal }: { network: Pick<Network, 'pause'>; signal: AbortSignal },
  request: () => Promise<T>,
  {
    isRetried = mayRetry,
    hasProgressed = () => false,
    pauseMs = (retries) => 125 * 2 ** retries,
    maxRetryAfterMs = maxHeldMs,
  }: {
    isRetried?: (error: unknown) => boolean;
    /** Called after each failure: whether `progressBytes` have arrived since the last one. */
    hasProgressed?: () => boolean;
    /** The pause after so many retries that made no progress. */
    pauseMs?: (retries: number) => number;
    /** The longest `Retry-After` that is waited for. After a longer one the error is thrown. */
    maxRetryAfterMs?: number;
  } = {},
): Promise<T> {
  return pRetry(request, {
    signal,
    retries: maxRetries,
    // The network waits, so that tests do not.
    minTimeout: 0,
    shouldConsumeRetry: () => !hasProgressed(),
    shouldRetry: async ({ error, retriesConsumed }) => {
      const { retryAfterMs = 0 } = error instanceof StatusError ? error : {};
      if (!isRetried(error) || retryAfterMs > maxRetryAfterMs) return false;
      await network.pause(Math.max(retryAfterMs, pauseMs(retriesConsumed)), signal);
      return true;
    },
  });
}
