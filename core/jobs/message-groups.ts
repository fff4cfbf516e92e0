import type { JobRef } from './ports.ts';
import { limitOfBatches } from './queues.ts';

/**
 * The message group of task `index` of a job: one of the `groups` of its owner. A FIFO queue delivers one message of a group
 * at a time, so the groups bound the tasks of an owner that run at once: nothing is counted. Jobs begin with different
 * groups, so that jobs of few tasks share them evenly. If `groups` is undefined, each task has a group of its own and waits
 * for nothing but a function.
 */
export function messageGroup({ ownerId, jobId }: JobRef, index: number, groups: number | undefined): string {
  if (groups === undefined) return `${jobId}#${index}`;
  const first = Number.parseInt(jobId.slice(-6), 16) || 0;
  return groupOf(ownerId, first + index, groups);
}

/**
 * The message group of a task: without a limit of the owner, the jobs of all batches share groups. With one, a batch leaves a
 * fifth of the owner's groups to other jobs.
 */
export function chunkGroup(
  { ownerId, jobId, batch }: JobRef & { batch?: object | undefined },
  index: number,
  { maxRunningChunks, maxBatchChunks }: { maxRunningChunks: number | undefined; maxBatchChunks?: number | undefined },
): string {
  if (batch === undefined) return messageGroup({ ownerId, jobId }, index, maxRunningChunks);
  if (maxRunningChunks === undefined) return messageGroup({ ownerId: '#batch', jobId }, index, maxBatchChunks);
  return messageGroup({ ownerId, jobId }, index, limitOfBatches(maxRunningChunks));
}

/**
 * The message group of the second run of a task: that of the same owner which follows the group of the first run, or another
 * one of the task.
 * @throws TypeError for a text that is no group of an owner
 */
export function nextMessageGroup(group: string, groups: number | undefined): string {
  if (groups === undefined) return `${group}#2`;
  const [, ownerId, number] = /^(.*)#(\d+)$/s.exec(group) ?? [];
  if (ownerId === undefined) throw new TypeError(`${group} is no message group of an owner`);
  return groupOf(ownerId, Number(number) + 1, groups);
}

/** The message group of the join of a job. The joins of an owner run one after the other, unless its tasks have no `groups`. */
export function joinGroup({ ownerId, jobId }: JobRef, groups: number | undefined): string {
  return groups === undefined ? jobId : ownerId;
}

function groupOf(ownerId: string, number: number, groups: number): string {
  return `${ownerId}#${number % groups}`;
}
