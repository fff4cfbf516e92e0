import { type CheckedRecords, idsToCheck } from './counted-changes.ts';
import type { Clock, JobRef, JobTable } from './ports.ts';
import type { JobRecord } from './record.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { asUnreadable, UnreadableJobError } from './unreadable-job-error.ts';

type Counter = { latest: readonly string[] };

type UpdateCounterDeps<R extends JobRef, C extends Counter> = {
  jobs: Pick<JobTable, 'get'>;
  clock: Pick<Clock, 'sleep'>;
  counters: { read(ref: R): Promise<C>; write(ref: R, counter: C): Promise<boolean> };
};

/**
 * Replaces the counter of a job by the next one, unless `next` has none. The records are read after the counter: see
 * `nextUsageCounter`. The name of a job whose record this version of the service cannot read stays in the counter.
 *
 * @returns the record of the job
 * @throws ConflictError after 100 conflicts with other writes of the counter
 */
export function updateCounter<R extends JobRef, C extends Counter>(
  { jobs, clock, counters }: UpdateCounterDeps<R, C>,
  ref: R,
  next: (counter: C, record: JobRecord | undefined, checked: CheckedRecords) => C | undefined,
): Promise<JobRecord | undefined> {
  const { ownerId, jobId } = ref;
  const readChecked = async (id: string) => {
    const job = await jobs.get({ ownerId, jobId: id }).catch(asUnreadable);
    return job instanceof UnreadableJobError ? [] : [[id, job] as const];
  };
  return retryConflicts(
    async () => {
      const counter = await counters.read(ref);
      const [record, ...checked] = await Promise.all([jobs.get(ref), ...idsToCheck(counter.latest).map(readChecked)]);
      const replacement = next(counter, record, new Map(checked.flat()));
      const isDone = replacement === undefined || (await counters.write(ref, replacement));
      return isDone ? record : false;
    },
    { clock, jobId },
  );
}
