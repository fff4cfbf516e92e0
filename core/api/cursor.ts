import { createHash } from 'node:crypto';
import { canonicalJson } from '@media-jobs/video/values';
import { AppError } from '../errors.ts';

const jobIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const tagLength = 16;

/** The list that a cursor is valid for: one owner's, under one set of filters. */
export type CursorScope = { ownerId: string; list: string; filters?: Record<string, unknown> };

/**
 * The cursor of a list's next page, opaque to callers: the last job's id, or position in the feed, and a tag. The tag
 * binds it to the owner, the list and the filters (DECISION.md).
 */
export function writeCursor(scope: CursorScope, last: string): string {
  return Buffer.from(`${last}.${tag(scope, last)}`).toString('base64url');
}

/** The last job's id or position. Throws AppError INVALID_CURSOR if the cursor was not made for this list. */
export function readCursor(scope: CursorScope, cursor: string, pattern = jobIdPattern): string {
  const [position = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (pattern.test(position) && writeCursor(scope, position) === cursor) return position;
  throw new AppError(
    'INVALID_CURSOR',
    'cursor: not a cursor of this list. Send the nextCursor of an earlier response, unchanged and with the same filters.',
  );
}

function tag({ ownerId, list, filters }: CursorScope, last: string): string {
  const scopeJson = canonicalJson([ownerId, list, filters ?? {}, last]);
  return createHash('sha256').update(scopeJson).digest('base64url').slice(0, tagLength);
}
