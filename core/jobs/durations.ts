import { isTerminal, type JobIn, type JobRecord, type TerminalJob } from './record.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The durations on which `dueAt` and the sweep depend. */
export const durations = {
  /** A worker that has not renewed its lease for this time is considered lost. */
  leaseMs: 40 * second,
  /** The same for a Fargate task, which may have worked for hours: an outage of the table must not cost its work. */
  fargateLeaseMs: 5 * minute,
  /** The interval at which a worker reads its job's record, and so finds out that it was cancelled. */
  heartbeatMs: 2 * second,
  /** Minimum time from the last write of a worker to a heartbeat that writes only progress. A job of seconds needs none. */
  progressMs: 4 * second,
  /** The time of a chunk task is recorded at least this often, even if its percentage does not change. */
  taskProgressMs: 6 * second,
  /** The interval at which reconcile checks whether a delegated job's execution is running. */
  executionCheckMs: 5 * minute,
  /**
   * The first wait before a queued job's message is sent again. Each further wait is twice as long. Short enough to be the
   * lease of a worker that claims a new job at once, and long enough for the first delivery after a job of seconds.
   */
  resendAfterMs: 50 * second,
  maxResendMs: hour,
  /** The first wait for the host of a source, if it asks for less. Each further wait is at least twice as long. */
  minHostWaitMs: 2 * second,
  /** A job whose host asks for a longer wait (`Retry-After`) is rejected. */
  maxHostWaitMs: hour,
  /** Wait after a job's end before reconcile starts a delivery that has not begun. */
  deliveryStartMs: minute,
  /** Minimum of that wait. A first attempt that begins within seconds then needs no write of its record. */
  minDeliveryStartMs: 35 * second,
  /**
   * Longer than deliver-webhook runs: for so long, and the wait before the next attempt, reconcile leaves a delivery
   * alone.
   */
  maxAttemptMs: 30 * second,
  /** The time for one delivery attempt, without the wait before the next. Then reconcile resumes the delivery. */
  deliveryAttemptMs: minute,
  maxDeliveryResumeMs: hour,
  /** Bounds of the wait before reconcile starts a delivery to a slow receiver that no ended delivery has started. */
  minDeliveryDeferMs: 30 * second,
  maxDeliveryDeferMs: 10 * minute,
  /** Longer than any function runs (15 minutes): no worker of that claim writes any more. */
  sweepAfterClaimMs: 16 * minute,
  /** A job without a result keeps its finished outputs for so long: a retry takes them over. */
  keptStepsMs: 24 * hour,
  /** Longer than any delivery attempt that began before the deletion. */
  sweepAfterDeleteMs: 2 * minute,
  /** Longer than a function of the API runs (29 s): then reconcile looks for the record of a job that has reserved money. */
  confirmReservationMs: 2 * minute,
  /** The wait before reconcile retries a job that it could not process. */
  postponeMs: minute,
  /** Maximum of the wait before reconcile removes files at a storage provider again that did not respond. */
  maxProviderWaitMs: hour,
  /** How long a tombstone is kept after its last sweep: the feed lists the events of a deleted job as long as others. */
  tombstoneMs: 8 * 24 * hour,
  /** The same if the last sweep does not succeed. As long as the media bucket keeps publications. */
  unsweptTombstoneMs: 30 * 24 * hour,
} as const;

/** Attempts of a job: when the worker of the last one is lost, the job fails. */
export const maxAttempts = 3;

/** So many times a job waits because the host of a source asked for it. */
export const maxHostWaits = 5;

/** Adds milliseconds to a time. Returns a timestamp as the record stores it. */
export function addMs(time: Date, ms: number): string {
  return new Date(time.getTime() + ms).toISOString();
}

/**
 * The kinds of due work, each with its own partitions in the index of due jobs, in the order of reconcile: lost workers
 * and lost messages are recovered before anything that can wait.
 */
export const dueKinds = ['running', 'waiting', 'delivery', 'sweep'] as const;

export type DueKind = (typeof dueKinds)[number];

/** The kind of work under which the index lists a record. The first check stays where the creation has listed it. */
export function dueKind(job: JobRecord): DueKind {
  if (job.state !== 'deleted' && job.isFirstCheck) return 'waiting';
  if (job.state === 'processing') return 'running';
  if (job.state === 'queued') return 'waiting';
  return isTerminal(job) && (job.pendingDelivery !== undefined || isLaterAttemptDue(job)) ? 'delivery' : 'sweep';
}

/** Whether an ended job is due for a later attempt of its webhook. A sweep that is due too follows. */
export function isLaterAttemptDue({ dueAt = '', laterAttempts }: TerminalJob): boolean {
  return laterAttempts?.nextAt !== undefined && laterAttempts.nextAt <= dueAt;
}

/** When a job is due for another check than its first. */
export function dueIn(now: Date, ms: number): { dueAt: string; isFirstCheck: undefined } {
  return { dueAt: addMs(now, ms), isFirstCheck: undefined };
}

/**
 * When a job is due after its claim or its end: `usualMs` from now, or at its first check if that is `minMs` ahead. So a
 * job of seconds enters the index of due jobs once, when it is created, and leaves it once, when its webhook is delivered.
 */
export function firstCheckOr(
  { dueAt, isFirstCheck }: JobIn<'queued' | 'processing'>,
  { now, minMs, usualMs }: { now: Date; minMs: number; usualMs: number },
): Pick<JobIn<'queued' | 'processing'>, 'dueAt' | 'isFirstCheck'> {
  return isFirstCheck && dueAt >= addMs(now, minMs) ? { dueAt, isFirstCheck } : dueIn(now, usualMs);
}

/** When an ended job whose delivery is settled is due: for a sweep, the end of files or a later attempt, whichever is first. */
export function nextDue({
  sweepAt,
  removeAt,
  laterAttempts,
}: Partial<Pick<TerminalJob, 'sweepAt' | 'removeAt' | 'laterAttempts'>>): { dueAt?: string; isFirstCheck: undefined } {
  const [first] = [sweepAt, removeAt, laterAttempts?.nextAt].filter((at) => at !== undefined).toSorted();
  return { ...(first !== undefined && { dueAt: first }), isFirstCheck: undefined };
}

/** The shards of each kind: one for each last digit of an id. */
export const dueShards = 16;

/** The shard of a job, from 0: the last hexadecimal digit of its id, which is random (RFC 9562, UUIDv7). */
export function dueShard(jobId: string): number {
  return Number.parseInt(jobId.slice(-1), dueShards);
}
