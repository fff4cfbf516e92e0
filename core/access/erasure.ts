import * as z from 'zod';
import { AppError } from '../errors.ts';
import type { RemovalOptions, RemovalResult } from '../jobs/ports.ts';
import type { RecordState } from '../jobs/record.ts';
import { timestampSchema } from '../timestamp.ts';

/** The request of an owner that all of its data be erased. It is kept until nothing is left. */
export const erasureSchema = z.object({ ownerId: z.string(), requestedAt: timestampSchema });

export type Erasure = z.infer<typeof erasureSchema>;

/** Everything of an owner is gone so long after its request. */
export const erasureHours = 24;

/** From then on a tombstone whose storage provider does not respond is removed too. */
export const maxErasureWaitMs = 20 * 3_600_000;

/** A job of an owner, deleted ones included. `isSwept`: of a deleted one no file is left. */
export type StoredJob = { jobId: string; state: RecordState; isSwept: boolean };

/** The erasures that are under way, and what they remove besides files and keys. Reads are strongly consistent. */
export type Erasures = {
  /** Stores a request, which is due at once. Returns an earlier one that is not done. */
  request(erasure: Erasure): Promise<Erasure>;
  find(ownerId: string): Promise<Erasure | undefined>;
  /** Those that are not done, from an index that may be seconds stale. */
  due(): Promise<Erasure[]>;
  jobs(ownerId: string, page: { afterJobId: string | undefined; limit: number }): Promise<StoredJob[]>;
  /** Removes the records of jobs, and all that is stored beside each. */
  removeJobs(ownerId: string, jobIds: readonly string[]): Promise<void>;
  /** Ends the batches of the owner: no step submits a further job. */
  removeBatches(ownerId: string): Promise<unknown>;
  /** Removes every other record of the owner: all but the request and the audit log. */
  removeRecords(ownerId: string, options: { runningParts: number } & RemovalOptions): Promise<RemovalResult>;
  /** Removes the request: the erasure is done. */
  end(ownerId: string): Promise<void>;
};

/** @throws AppError OWNER_BEING_ERASED while the data of the owner is erased */
export async function assertNotErased(erasures: Pick<Erasures, 'find'>, ownerId: string): Promise<void> {
  if ((await erasures.find(ownerId)) === undefined) return;
  throw new AppError(
    'OWNER_BEING_ERASED',
    'All data of this owner is being erased: nothing can be changed until that has ended.',
  );
}
