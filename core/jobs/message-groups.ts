import type { JobRef } from './ports.ts';

/**
 * Assigns task `index` of a job to one of the owner's `groups` message groups. A FIFO queue delivers one message of a group
 * at a time, so the groups bound the tasks of an owner that run at once: nothing is counted. Jobs begin with different
 * groups, so that jobs of few tasks share them evenly.
 */
export function messageGroup({ ownerId, jobId }: JobRef, index: number, groups: number): string {
  const first = Number.parseInt(jobId.slice(-6), 16) || 0;
  return groupOf(ownerId, first + index, groups);
}

/**
 * The message group of the same owner that follows one of `messageGroup`.
 * @throws TypeError for another text
 */
export function nextMessageGroup(group: string, groups: number): string {
  const [, ownerId, number] = /^(.*)#(\d+)$/s.exec(group) ?? [];
  if (ownerId === undefined) throw new TypeError(`${group} is no message group of an owner`);
  return groupOf(ownerId, Number(number) + 1, groups);
}

function groupOf(ownerId: string, number: number, groups: number): string {
  return `${ownerId}#${number % groups}`;
}
