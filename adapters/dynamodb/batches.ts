import { AppError } from '../../core/errors.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { systemClock } from '../system/clock.ts';

/** How what DynamoDB left over waits before it is sent again. `random` gives numbers from 0 to below 1. */
export type Pacing = { sleep: Clock['sleep']; random: () => number };

export type Batches<Request> = {
  requests: readonly Request[];
  /** The most that one call takes. */
  maxPerCall: number;
  /** Makes one call; gives what DynamoDB did not process. */
  send: (batch: Request[]) => Promise<Request[]>;
  pacing?: Pacing | undefined;
};

const systemPacing: Pacing = { sleep: systemClock.sleep, random: Math.random };

const firstPauseMs = 50;
const maxPauseMs = 2_000;
/** About 5 s of pauses at most, which every function has time for. */
const maxAttempts = 8;

/**
 * Sends requests in as few calls as there can be. What is left over is the sign of a table that is asked too much: it
 * is sent again after a pause of up to twice as long each time, by chance, so that callers do not come back together.
 * @throws AppError UNAVAILABLE where something is left over eight times in a row
 */
export async function sendInBatches<Request>(batches: Batches<Request>): Promise<void> {
  const { requests, maxPerCall, send, pacing = systemPacing } = batches;
  let waiting = [...requests];
  let tries = 0;
  while (waiting.length > 0) {
    const leftOver = await send(waiting.slice(0, maxPerCall));
    waiting = [...leftOver, ...waiting.slice(maxPerCall)];
    tries = leftOver.length === 0 ? 0 : tries + 1;
    if (tries === 0) continue;
    if (tries === maxAttempts) throw new AppError('UNAVAILABLE', 'The table is busy; try again shortly.');
    await pacing.sleep(pacing.random() * Math.min(maxPauseMs, firstPauseMs * 2 ** (tries - 1)));
  }
}
