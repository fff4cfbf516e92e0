import pLimit from 'p-limit';
import pRetry from 'p-retry';
import type { Clock } from './jobs/ports.ts';

/**
 * Calls `work` for every item, at most `concurrency` at a time; results are in the order of the items. After the first
 * failure no call begins; the failure is thrown when the calls under way have ended.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(concurrency);
  const results: Result[] = [];
  const failures: unknown[] = [];
  const call = async (item: Item, index: number): Promise<void> => {
    if (failures.length > 0) return;
    try {
      results[index] = await work(item);
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(items.map((item, index) => limit(call, item, index)));
  if (failures.length > 0) throw failures[0];
  return results;
}

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

const maxConflicts = 100;

/** An item changed before each of many conditional writes. Every conflict means that another write succeeded. */
export class ConflictError extends Error {
  constructor() {
    super(`Another write came in between ${maxConflicts} times in a row; try again shortly.`);
    this.name = 'ConflictError';
  }
}

/** What a pause after a conflict takes: its length depends on the id of the job. */
export type Pausing = { clock: Pick<Clock, 'sleep'>; jobId: string };

/**
 * Repeats a read with its conditional write until `attempt` returns a result; false means that another write came in
 * between.
 *
 * @param pausing for an item that hundreds of jobs may write at once. Left out: a conflict is followed by the next attempt
 * @throws ConflictError after 100 conflicts
 */
export async function retryConflicts<Result>(
  attempt: () => Promise<Result | false>,
  pausing?: Pausing,
): Promise<Result> {
  for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
    if (conflicts > 0 && pausing !== undefined) {
      // From a half to one and a half of it, by the random end of the job's id, so that jobs do not stay in step.
      const fraction = (Number.parseInt(pausing.jobId.slice(-6), 16) || 0) / 0x1_00_00_00;
      await pausing.clock.sleep(Math.min(maxPauseMs, pauseStepMs * conflicts) * (0.5 + fraction));
    }
    const result = await attempt();
    if (result !== false) return result;
  }
  throw new ConflictError();
}

/** A pause grows by this with each conflict, up to a second. */
const pauseStepMs = 20;
const maxPauseMs = 1_000;
