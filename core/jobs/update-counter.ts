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

/** From this many names on, a write checks the records of their jobs, so that a counter stays below one kilobyte. */
const maxUncheckedNames = 8;

/** The records of checked jobs by their ids; undefined for a job that is gone. */
export type CheckedRecords = ReadonlyMap<string, JobRecord | undefined>;

/** The jobs of a counter's latest changes whose records its next write needs, besides that of the job to count. */
function idsToCheck(latest: readonly string[]): string[] {
  return latest.length < maxUncheckedNames ? [] : [...new Set(latest.map(jobIdOf))];
}

/** The latest changes without those of checked jobs whose records demand none any more. */
export function stillNeeded(
  latest: readonly string[],
  checked: CheckedRecords,
  demandsChange: (record: JobRecord) => boolean,
): string[] {
  return latest.filter((name) => {
    const record = checked.get(jobIdOf(name));
    return !checked.has(jobIdOf(name)) || (record !== undefined && demandsChange(record));
  });
}

/** A change is named by the id of its job, with a minus sign if it subtracts the job. */
function jobIdOf(name: string): string {
  return name.replace(/-$/, '');
}
