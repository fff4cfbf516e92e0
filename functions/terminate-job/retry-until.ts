import type { Clock } from '../../core/jobs/ports.ts';

const firstWaitMs = 250;
const longestWaitMs = 4_000;

/**
 * Repeats an action that throws, with doubling waits, while there is time for another try before `until`. The action
 * must be one that may be repeated. Without `until` it is tried once.
 */
export async function retryUntil<T>(
  clock: Clock,
  until: Date | undefined,
  action: () => Promise<T>,
): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await action();
    } catch (cause) {
      if (until === undefined || clock.now().getTime() + waitMs >= until.getTime()) throw cause;
      await clock.sleep(waitMs);
    }
  }
}
