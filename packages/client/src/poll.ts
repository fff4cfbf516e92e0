import { ApiError } from './api-error.ts';
import type { Sleep } from './sleep.ts';

const firstDelayMs = 250;
/** Workers write progress every four seconds; the end of a job is seen within two. */
const maxDelayMs = 2_000;
/** Two minutes at the longest delay. */
const maxConsecutiveFailures = 60;

/**
 * Repeats a read, with growing pauses, until it returns a value. Retryable failures are tolerated for two minutes.
 * @throws ApiError if the service stays unavailable; the signal's reason if it aborts
 */
export async function poll<Value>(
  { signal, sleep }: { signal: AbortSignal; sleep: Sleep },
  read: () => Promise<Value | undefined>,
): Promise<Value> {
  let failures = 0;
  for (let reads = 0; ; reads += 1) {
    try {
      const value = await read();
      if (value !== undefined) return value;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!(error instanceof ApiError) || !error.retryable || failures > maxConsecutiveFailures) throw error;
      signal.throwIfAborted();
    }
    await sleep(Math.min(maxDelayMs, firstDelayMs * 2 ** reads), signal);
  }
}
