import * as z from 'zod';
import type { Contract } from '../api/contract.ts';
import { timestampSchema } from '../timestamp.ts';
import type { Principal } from './authentication.ts';

export const auditEntrySchema = z
  .object({
    at: timestampSchema,
    actor: z
      .string()
      .describe(
        '`session:` and the subject of its token, `key:` and the id of the key, or `operator` for `first-key`.',
      ),
    action: z.string().describe('The operationId of the request.'),
    target: z.string().describe('The path of the resource below `/api/v1/`.'),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntry = z.output<typeof auditEntrySchema>;

/** The entries of an owner, by an id that sorts by time. They are kept for `auditDays`, and no route changes them. */
export type AuditLog = {
  append(ownerId: string, entry: AuditEntry & { id: string }): Promise<void>;
  /** Newest first, those before `beforeId`. `lastId` is that of the last entry if there are more. */
  list(
    ownerId: string,
    page: { limit: number; beforeId: string | undefined },
  ): Promise<{ entries: AuditEntry[]; lastId: string | undefined }>;
};

export const auditDays = 400;

/** The entry of a request that a route has answered. `made`: the field of the answer that names what was created. */
export function auditEntry(
  { id: action, path, audit }: Pick<Contract, 'id' | 'path' | 'audit'>,
  { principal, params = {}, answer = {} }: { principal: Principal; params?: unknown; answer?: unknown },
  now: Date,
): AuditEntry {
  const values = params as Record<string, string>;
  const resource = path.replace('/api/v1/', '').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
  const made = audit?.made === undefined ? '' : `/${(answer as Record<string, unknown>)[audit.made]}`;
  const actor = principal.caller === 'key' ? `key:${principal.key.keyId}` : `session:${principal.subject}`;
  return { at: now.toISOString(), actor, action, target: resource + made };
}
