import { crc32 } from 'node:zlib';
import { shareOfGroup, threeQuarters } from './shares.ts';

/**
 * The lane of jobs that hold a worker for minutes. A job without a lane is short, or was not probed yet: a probe takes
 * seconds.
 */
export const longLane = 'long';

/** The line of queued jobs that wait for a host and not for a worker, see `requeueForHost`. No worker claims from it. */
export const laterLine = 'later';

/** A line of the index of queued jobs: that of short jobs, of long ones, or of those that no worker may claim yet. */
export type WaitingLine = typeof longLane | typeof laterLine | undefined;

/** The line that lists a queued job. */
export function lineOf({ lane, notBefore }: { lane?: typeof longLane; notBefore?: string }): WaitingLine {
  return notBefore === undefined ? lane : laterLine;
}

export const waitingLines: readonly WaitingLine[] = [undefined, longLane, laterLine];

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
  if (workers >= minWorkersForReserve) return threeQuarters(workers);
  return shortWaits ? Math.max(1, workers - 1) : workers;
}

/** Permits are divided among groups, one item each, so that one item does not take all writes. */
const minGroups = 4;

/** Maximum permits in the item of a group, which then has 9 KB. */
const maxPermitsPerGroup = 188;

/**
 * Divides `max` permits among groups, in the order in which a holder tries them: each holder begins with another one. A
 * small stage has fewer groups. No owner id starts with `#`, so no owner has their partitions.
 */
export function permitsByGroup(max: number, holder = ''): { group: string; max: number }[] {
  const count = Math.max(minGroups, Math.ceil(max / maxPermitsPerGroup));
  const groups = Array.from({ length: count }, (_, index) => ({
    group: `#long-${index}`,
    max: shareOfGroup(max, index, count),
  })).filter((each) => each.max > 0);
  const first = crc32(holder) % groups.length;
  return [...groups.slice(first), ...groups.slice(0, first)];
}
