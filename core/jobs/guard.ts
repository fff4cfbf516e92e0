import type { JobRecord, RecordState } from './record.ts';

/**
 * What must still hold of the stored record for a write to happen. It is data: the DynamoDB adapter turns it into
 * a condition expression, the in-memory table asks `holds`. `null` demands that the field is absent. With `dueAt` a
 * write happens only over the very version that was read, since each write moves it: one that was held up on its way
 * cannot undo what came after it. Notes of parts move nothing but their number: a write that carries on what they said
 * names it, or it would undo those that came since.
 */
export type Guard =
  /** Nothing is stored under this id, a tombstone included. */
  | { absent: true }
  /** A worker's write: it still holds the lease, so the job is still processing. */
  | { leaseId: string; dueAt?: string; progressVersion?: number | null }
  /** A delivery's write: it is still the pending one. */
  | { deliveryId: string; dueAt?: string | null }
  /** Any other write. */
  | { state: RecordState; dueAt?: string | null; deliveryId?: null; progressVersion?: number | null };

/** A record to be stored, and the guard over the record that it replaces. */
export type JobChange<J extends JobRecord = JobRecord> = { job: J; guard: Guard };

/** Whether `stored` (undefined: no such item) is what the guard demands. */
export function guardHolds(guard: Guard, stored: JobRecord | undefined): boolean {
  if ('absent' in guard) return stored === undefined;
  if (stored === undefined) return false;
  const fields: Record<string, string | number | undefined> = {
    state: stored.state,
    dueAt: stored.dueAt,
    leaseId: 'leaseId' in stored ? stored.leaseId : undefined,
    progressVersion: 'progressVersion' in stored ? stored.progressVersion : undefined,
    deliveryId: 'pendingDelivery' in stored ? stored.pendingDelivery?.id : undefined,
  };
  return Object.entries(guard).every(([name, wanted]) => fields[name] === (wanted ?? undefined));
}
