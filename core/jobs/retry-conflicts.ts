import type { Clock } from './ports.ts';

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
    if (conflicts > 0) await pausing?.clock.sleep(pauseMs(conflicts, pausing.jobId));
    const result = await attempt();
    if (result !== false) return result;
  }
  throw new ConflictError();
}

/** A pause grows by this with each conflict, up to a second. */
const pauseStepMs = 20;
const maxPauseMs = 1_000;

/** From a half to one and a half of it, by the random end of the job's id, so that jobs do not stay in step. */
function pauseMs(conflicts: number, jobId: string): number {
  const fraction = (Number.parseInt(jobId.slice(-6), 16) || 0) / 0x1_00_00_00;
  return Math.min(maxPauseMs, pauseStepMs * conflicts) * (0.5 + fraction);
}
