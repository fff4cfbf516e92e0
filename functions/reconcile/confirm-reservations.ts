import { retryConflicts } from '../../core/async.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import { asUnreadable, UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import {
  confirmAt,
  confirmReservations,
  type SpendingCounters,
  type SpendingRef,
} from '../../core/spending/spending-counter.ts';

export type ConfirmDeps = { jobs: Pick<JobTable, 'get'>; spending: SpendingCounters; clock: Clock };

/** Records that one run reads for a counter. The rest stays due. */
const maxRecords = 100;

/**
 * Looks for the records of jobs that have reserved money, and gives back what a job reserved that was never written or has
 * ended. The records are read after the counter: if a job is counted in between, the write has a conflict.
 */
export async function confirmDueReservations(deps: ConfirmDeps, ref: SpendingRef): Promise<void> {
  const { jobs, spending, clock } = deps;
  await retryConflicts(async () => {
    const counter = await spending.read(ref);
    const now = clock.now().toISOString();
    const due = Object.entries(counter.unconfirmed ?? {})
      .filter(([, reservedAt]) => confirmAt(reservedAt) <= now)
      .slice(0, maxRecords);
    const records = await Promise.all(
      due.map(async ([jobId]) => {
        const record = await jobs.get({ ownerId: ref.ownerId, jobId }).catch(asUnreadable);
        // It exists, so its reservation stays. Those of the others do not wait for it.
        return record instanceof UnreadableJobError ? [] : ([[jobId, record]] as const);
      }),
    );
    const next = confirmReservations(counter, new Map(records.flat()));
    return next === undefined || spending.write(ref, next);
  });
}
