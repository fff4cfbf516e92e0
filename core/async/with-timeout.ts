import type { Clock } from '../jobs/ports.ts';

type Timeout = {
  clock: Pick<Clock, 'sleep'>;
  ms: number;
  /** The subject of the error's message, such as "Discarding the publication". */
  action: string;
};

/**
 * Waits for an action for `ms` at most. What it has begun then continues in the background: use it for calls that cannot be
 * aborted.
 *
 * @throws Error after that time
 */
export async function withTimeout<Result>({ clock, ms, action }: Timeout, run: () => Promise<Result>): Promise<Result> {
  const ended = new AbortController();
  const expired = clock.sleep(ms, ended.signal).then((): never => {
    throw new Error(`${action} took more than ${ms / 1000} seconds`);
  });
  try {
    return await Promise.race([run(), expired]);
  } finally {
    ended.abort();
  }
}
