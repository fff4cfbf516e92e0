import type { Guard } from './guard.ts';
import type { JobIn } from './record.ts';

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
