import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { AuditLog } from '../../core/access/audit.ts';
import type { listAuditContract } from '../../core/api/audit.ts';
import { readCursor, writeCursor } from '../../core/api/cursor.ts';

/** Lists a page of an owner's audit log, newest first. */
export function listAudit(log: AuditLog): RouteApp<typeof listAuditContract> {
  return async ({ query: { limit, cursor }, principal: { ownerId } }) => {
    const scope = { ownerId, list: 'audit' };
    const beforeId = cursor === undefined ? undefined : readCursor(scope, cursor);
    const { entries, lastId } = await log.list(ownerId, { limit, beforeId });
    return { status: 200, body: { entries, nextCursor: lastId === undefined ? null : writeCursor(scope, lastId) } };
  };
}
