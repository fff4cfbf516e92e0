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

/** The shards of each kind: one for each last digit of an id. */
export const dueShards = 16;

/** The shard of a job, from 0: the last hexadecimal digit of its id, which is random (RFC 9562, UUIDv7). */
export function dueShard(jobId: string): number {
  return Number.parseInt(jobId.slice(-1), dueShards);
}
