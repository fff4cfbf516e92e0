import { describe, expect, it } from 'vitest';
import { type CursorScope, readCursor, writeCursor } from '../../../core/api/cursor.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';

const scope: CursorScope = { ownerId: 'owner-1', list: 'jobs', filters: { state: 'failed', createdAfter: undefined } };
const jobId = aJobId(7);
const cursor = writeCursor(scope, jobId);
const invalidCursor = expect.objectContaining({ code: 'INVALID_CURSOR' });

const encoded = (text: string) => Buffer.from(text).toString('base64url');
const decoded = Buffer.from(cursor, 'base64url').toString();

describe('a cursor', () => {
  it('continues the list that it was made for', () => expect(readCursor(scope, cursor)).toBe(jobId));

  it('does not contain the owner', () => expect(decoded).not.toContain('owner-1'));

  it('does not depend on filters that are undefined', () => {
    expect(readCursor({ ...scope, filters: { state: 'failed' } }, cursor)).toBe(jobId);
  });

  it.each<[string, CursorScope]>([
    ['another owner', { ...scope, ownerId: 'owner-2' }],
    ['another list', { ...scope, list: 'deliveries' }],
    ['another filter', { ...scope, filters: { state: 'completed' } }],
    ['no filter', { ownerId: 'owner-1', list: 'jobs' }],
  ])('is invalid for %s', (_, other) => expect(() => readCursor(other, cursor)).toThrow(invalidCursor));

  it.each([
    ['nothing', ''],
    ['nonsense', 'abc'],
    ['a bare job id', encoded(jobId)],
    ['a job id with a tag of nonsense', encoded(`${jobId}.0123456789abcdef`)],
    ['the tag of another job', encoded(decoded.replace(jobId, aJobId(8)))],
    ['a valid cursor with a suffix', `${cursor}A`],
    ['a valid cursor in another encoding', Buffer.from(decoded).toString('base64').padEnd(100, '=')],
    ['a table key', encoded('JOB#~')],
  ])('is invalid if it is %s', (_, forged) => expect(() => readCursor(scope, forged)).toThrow(invalidCursor));
});
