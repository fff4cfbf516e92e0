import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import { AppError } from '../errors.ts';

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const tagLength = 16;

/** What a cursor belongs to: one owner's list, under one set of filters. */
export type CursorScope = { ownerId: string; list: string; filters?: Record<string, unknown> };

/**
 * Where the next page of a list goes on, opaque to callers: the last job's id, and a tag by which only the same list of
 * the same owner under the same filters takes it back (docs/decisions/cursors.md).
 */
export function writeCursor(scope: CursorScope, lastJobId: string): string {
  return Buffer.from(`${lastJobId}.${tag(scope, lastJobId)}`).toString('base64url');
}

/** Throws AppError INVALID_CURSOR where the text is not a cursor that this very list has given. */
export function readCursor(scope: CursorScope, cursor: string): string {
  const [jobId = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (form.test(jobId) && writeCursor(scope, jobId) === cursor) return jobId;
  throw new AppError(
    'INVALID_CURSOR',
    'cursor: use the nextCursor of an earlier answer, unchanged and with the same filters.',
  );
}

function tag({ ownerId, list, filters }: CursorScope, jobId: string): string {
  const bound = canonicalJson([ownerId, list, filters ?? {}, jobId]);
  return createHash('sha256').update(bound).digest('base64url').slice(0, tagLength);
}
