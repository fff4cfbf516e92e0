import pRetry from 'p-retry';
import type { Clock } from '../jobs/ports.ts';

const minWaitMs = 250;
const maxWaitMs = 4_000;

/**
 * Retries an idempotent action that throws, with doubling waits, while another attempt can begin before `until`. Without
 * `until` the action is attempted once. Waits are those of `clock`, which tests replace.
 *
 * @throws the last error of the action; once `signal` has aborted, its reason
 */
export function retryUntil<T>(
  clock: Clock,
  until: Date | undefined,
  action: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return pRetry(action, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: 0,
    async onFailedAttempt({ error, attemptNumber }) {
      signal?.throwIfAborted();
      const waitMs = Math.min(minWaitMs * 2 ** (attemptNumber - 1), maxWaitMs);
      if (until === undefined || clock.now().getTime() + waitMs >= until.getTime()) throw error;
      await clock.sleep(waitMs, signal);
      signal?.throwIfAborted();
    },
  });
}
