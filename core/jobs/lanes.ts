/**
 * The lane of jobs that hold a worker for minutes. A job without a lane is short, or was not probed yet: a probe takes
 * seconds.
 */
export const longLane = 'long';

/** A job that its worker expects to take longer than this is long. */
export const longAfterSeconds = 60;

/** A job that has held its worker for this time is long, whatever was expected. */
export const maxShortSeconds = 120;

/** Upper bound of the lag of an index behind the table. */
export const maxIndexLagSeconds = 15;

const minWorkersForReserve = 4;

/**
 * The workers that long jobs may hold: three quarters, so that short ones find a free worker soon. Of fewer than four
 * workers none is kept free: long jobs leave one to the short ones only while some wait.
 */
export function workersOfLongJobs(workers: number, { shortWaits }: { shortWaits: boolean }): number {
  if (workers >= minWorkersForReserve) return Math.floor((workers * 3) / 4);
  return shortWaits ? Math.max(1, workers - 1) : workers;
}

/** Permits are divided among groups, one item each, so that one item does not take all writes. */
const groupCount = 4;

/** The names of the groups. No owner id starts with `#`, so no owner has their partitions. */
export const longGroups = Array.from({ length: groupCount }, (_, index) => `#long-${index}`);

/** Divides permits among the groups. A small stage has fewer groups. */
export function permitsByGroup(max: number): { group: string; max: number }[] {
  return longGroups
    .map((group, index) => ({ group, max: Math.floor((max + groupCount - 1 - index) / groupCount) }))
    .filter((each) => each.max > 0);
}

/** The holder of a permit: one attempt of one job. */
export function permitHolder({ jobId, attempt }: { jobId: string; attempt: number }): string {
  return `${jobId}#${attempt}`;
}
