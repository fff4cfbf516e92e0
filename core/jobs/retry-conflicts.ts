import { AppError } from '../errors.ts';

/** Each conflict means that another write succeeded. */
const maxConflicts = 100;

/**
 * Repeats a read with its conditional write until `attempt` returns true: false means that another write came in between.
 *
 * @throws AppError UNAVAILABLE after 100 conflicts
 */
export async function retryConflicts(attempt: () => Promise<boolean>): Promise<void> {
  for (let conflicts = 0; conflicts < maxConflicts; conflicts += 1) {
    if (await attempt()) return;
  }
  throw new AppError('UNAVAILABLE', 'Too many writes of one item at once; try again shortly.');
}
