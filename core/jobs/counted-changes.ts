import type { JobRecord } from './record.ts';

/** From this many names on, a write checks the records of their jobs, so that a counter stays below one kilobyte. */
const maxUncheckedNames = 8;

/** The records of checked jobs by their ids; undefined for a job that is gone. */
export type CheckedRecords = ReadonlyMap<string, JobRecord | undefined>;

/** The jobs of a counter's latest changes whose records its next write needs, besides that of the job to count. */
export function idsToCheck(latest: readonly string[]): string[] {
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
