import type { JobRef } from '../../jobs/ports.ts';

/**
 * Assigns task `index` of a job to one of the owner's `maxRunningChunks` message groups. A FIFO queue delivers one message
 * of a group at a time, so the groups bound the tasks of an owner that run at once: nothing is counted. Jobs begin with
 * different groups, so that jobs of few tasks share them evenly.
 */
export function messageGroup({ ownerId, jobId }: JobRef, index: number, maxRunningChunks: number): string {
  const first = Number.parseInt(jobId.slice(-6), 16) || 0;
  return `${ownerId}#${(first + index) % maxRunningChunks}`;
}
