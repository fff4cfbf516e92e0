import type { Guard } from '../../../core/jobs/guard.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';

/** Whether the stored record (undefined: none) satisfies the guard. */
export function guardHolds(guard: Guard, stored: JobRecord | undefined): boolean {
  if ('absent' in guard) return stored === undefined;
  if (stored === undefined) return false;
  const fields: Record<string, string | number | undefined> = {
    state: stored.state,
    dueAt: stored.dueAt,
    updatedAt: 'updatedAt' in stored ? stored.updatedAt : undefined,
    leaseId: 'leaseId' in stored ? stored.leaseId : undefined,
    progressVersion: 'progressVersion' in stored ? stored.progressVersion : undefined,
    deliveryId: 'pendingDelivery' in stored ? stored.pendingDelivery?.id : undefined,
  };
  return Object.entries(guard).every(([name, expected]) => fields[name] === (expected ?? undefined));
}
