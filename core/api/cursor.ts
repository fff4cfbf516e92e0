import { AppError } from '../errors.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Where the next page of a list goes on, opaque to callers. It names a job of the owner who reads it, and no owner. */
export function writeCursor(lastJobId: string): string {
  return Buffer.from(lastJobId).toString('base64url');
}

/** Throws AppError INVALID_CURSOR where the text is not a cursor of ours. */
export function readCursor(cursor: string): string {
  const jobId = Buffer.from(cursor, 'base64url').toString();
  if (form.test(jobId) && writeCursor(jobId) === cursor) return jobId;
  throw new AppError('INVALID_CURSOR', 'cursor: use the nextCursor of an earlier answer, unchanged.');
}
