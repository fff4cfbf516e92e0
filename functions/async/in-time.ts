import type { Clock } from '../../core/jobs/ports.ts';

/**
 * Waits for an action for `maxMs` at most. What it has begun then goes on.
 * @throws Error after that time
 */
export async function inTime<Result>(
  clock: Pick<Clock, 'sleep'>,
  maxMs: number,
  action: () => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const expired = clock.sleep(maxMs, ended.signal).then((): never => {
    throw new Error(`It was not done within ${maxMs / 1000} seconds`);
  });
  try {
    return await Promise.race([action(), expired]);
  } finally {
    ended.abort();
  }
}
