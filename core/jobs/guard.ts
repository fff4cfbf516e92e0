import type { JobIn, JobRecord, RecordState } from './record.ts';

/**
 * The condition of a write on the stored record, as data: the DynamoDB adapter turns it into a condition expression. `null`:
 * the field must be absent.
 *
 * Every write moves `dueAt` or `updatedAt`, so a guard with both demands the version that was read: a delayed write cannot
 * undo a later one. After the end of a job every write moves `dueAt`. Chunk progress moves `progressVersion` instead; a
 * write that copies the progress demands that too.
 */
export type Guard =
  /** No record has this id, not even a tombstone. */
  | { absent: true }
  /** A worker's write: it holds the lease, so the job is processing. */
  | { leaseId: string; dueAt?: string; updatedAt?: string; progressVersion?: number | null }
  /** A delivery's write: this delivery is pending. */
  | { deliveryId: string; dueAt?: string | null }
  /** Any other write. */
  | {
      state: RecordState;
      dueAt?: string | null;
      updatedAt?: string;
      deliveryId?: null;
      progressVersion?: number | null;
    };

export type JobChange<J extends JobRecord = JobRecord> = { job: J; guard: Guard };

/** Holds only if an unfinished job has not changed since it was read. */
export function versionGuard(job: JobIn<'queued' | 'processing'>): Guard {
  const { state, dueAt, updatedAt } = job;
  return { state, dueAt, updatedAt, ...(job.state === 'processing' ? progressGuard(job) : {}) };
}

/** Holds only under the lease of a job that has not changed since it was read, apart from chunk progress. */
export function leaseGuard({ leaseId, dueAt, updatedAt }: JobIn<'processing'>): Guard {
  return { leaseId, dueAt, updatedAt };
}

/** Chunk progress does not move `dueAt`, so the guard checks its version: a write must not undo it. */
export function progressGuard({ execution, progressVersion }: JobIn<'processing'>): {
  progressVersion?: number | null;
} {
  return execution === undefined ? {} : { progressVersion: progressVersion ?? null };
}
