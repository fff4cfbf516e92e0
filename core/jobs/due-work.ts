import { isTerminal, type JobRecord } from './record.ts';

/**
 * The kinds of due work, each with its own partitions in the index of due jobs, in the order of reconcile: lost workers
 * and lost messages are recovered before anything that can wait.
 */
export const dueKinds = ['running', 'waiting', 'delivery', 'sweep'] as const;

export type DueKind = (typeof dueKinds)[number];

/** The kind of work that a record has once it is due. */
export function dueKind(job: JobRecord): DueKind {
  if (job.state === 'processing') return 'running';
  if (job.state === 'queued') return 'waiting';
  return isTerminal(job) && job.pendingDelivery !== undefined ? 'delivery' : 'sweep';
}

/** The shards of each kind. */
export const dueShards = 4;

/** The shard of a job, from the random end of its id. */
export function dueShard(jobId: string): number {
  return (jobId.codePointAt(jobId.length - 1) ?? 0) % dueShards;
}
