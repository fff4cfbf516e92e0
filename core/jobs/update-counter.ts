import { type CheckedRecords, idsToCheck } from './counted-changes.ts';
import type { Clock, JobRef, JobTable } from './ports.ts';
import type { JobRecord } from './record.ts';
import { retryConflicts } from './retry-conflicts.ts';

type Counter = { latest: readonly string[] };

type UpdateCounterDeps<R extends JobRef, C extends Counter> = {
  jobs: Pick<JobTable, 'get'>;
  clock: Pick<Clock, 'sleep'>;
  counters: { read(ref: R): Promise<C>; write(ref: R, counter: C): Promise<boolean> };
};

/**
 * Replaces the counter of a job by the next one, unless `next` has none. The records are read after the counter: see
 * `nextUsageCounter`.
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
  const read = async (id: string) => [id, await jobs.get({ ownerId, jobId: id })] as const;
  return retryConflicts(
    async () => {
      const counter = await counters.read(ref);
      const [[, record], ...checked] = await Promise.all([
        read(jobId),
        ...idsToCheck(counter.latest).map(read),
      ]);
      const replacement = next(counter, record, new Map(checked));
      const isDone = replacement === undefined || (await counters.write(ref, replacement));
      return isDone ? record : false;
    },
    { clock, jobId },
  );
}
