import { addMs, durations } from './durations.ts';
import { isTerminal, type JobIn, type JobRecord, type TerminalJob } from './record.ts';

/**
 * The kinds of due work, each with its own partitions in the index of due jobs, in the order of reconcile: lost workers
 * and lost messages are recovered before anything that can wait.
 */
export const dueKinds = ['running', 'waiting', 'delivery', 'sweep'] as const;

export type DueKind = (typeof dueKinds)[number];

/** The kind of work under which the index lists a record. Its first check stays where it was listed. */
export function dueKind(job: JobRecord): DueKind {
  if (isFirstCheck(job)) return 'waiting';
  if (job.state === 'processing') return 'running';
  if (job.state === 'queued') return 'waiting';
  return isTerminal(job) && (job.pendingDelivery !== undefined || isLaterAttemptDue(job)) ? 'delivery' : 'sweep';
}

/** Whether an ended job is due for a later attempt of its webhook. A sweep that is due too follows. */
export function isLaterAttemptDue({ dueAt = '', laterAttempts }: TerminalJob): boolean {
  return laterAttempts?.nextAt !== undefined && laterAttempts.nextAt <= dueAt;
}

/** Whether a job is due at the time that its creation has set. */
export function isFirstCheck(job: JobRecord): boolean {
  return job.state !== 'deleted' && job.dueAt === addMs(new Date(job.createdAt), durations.resendAfterMs);
}

/**
 * When a job is due after its claim or its end: `usualMs` from now, or at its first check if that is `minMs` ahead. So a
 * job of seconds enters the index of due jobs once, when it is created, and leaves it once, when its webhook is delivered.
 */
export function nextDueAt(
  job: JobIn<'queued' | 'processing'>,
  { now, minMs, usualMs }: { now: Date; minMs: number; usualMs: number },
): string {
  return isFirstCheck(job) && job.dueAt >= addMs(now, minMs) ? job.dueAt : addMs(now, usualMs);
}

/** When an ended job whose delivery is settled is due: for a sweep, the end of files or a later attempt, whichever is first. */
export function nextDue({
  sweepAt,
  removeAt,
  laterAttempts,
}: Partial<Pick<TerminalJob, 'sweepAt' | 'removeAt' | 'laterAttempts'>>): { dueAt?: string } {
  const [first] = [sweepAt, removeAt, laterAttempts?.nextAt].filter((at) => at !== undefined).toSorted();
  return first === undefined ? {} : { dueAt: first };
}

/** The shards of each kind: one for each last digit of an id. */
export const dueShards = 16;

/** The shard of a job, from 0: the last hexadecimal digit of its id, which is random (RFC 9562, UUIDv7). */
export function dueShard(jobId: string): number {
  return Number.parseInt(jobId.slice(-1), dueShards);
}
