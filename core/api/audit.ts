import * as z from 'zod';
import { auditDays, auditEntrySchema } from '../access/audit.ts';
import { contract } from './contract.ts';
import { pageLimitSchema } from './field-schemas.ts';

export const listAuditContract = contract({
  id: 'listAudit',
  function: 'settings',
  method: 'GET',
  path: '/api/v1/audit',
  tag: 'Settings',
  summary: 'List the audit log',
  description: `Who created and revoked keys, deleted jobs, and changed settings and storage providers, for ${auditDays} days. An API key cannot read it.`,
  callers: ['session'],
  query: z.strictObject({
    limit: pageLimitSchema,
    cursor: z.string().optional().describe('The `nextCursor` of the page before.'),
  }),
  responses: {
    200: {
      description: 'A page of entries, newest first.',
      schema: z.object({
        entries: z.array(auditEntrySchema),
        nextCursor: z.string().nullable().describe('null on the last page.'),
      }),
      example: {
        entries: [
          {
            at: '2026-11-21T09:23:31.050Z',
            actor: 'session:2b6f0cc904d137be',
            action: 'createKey',
            target: 'keys/0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6',
          },
        ],
        nextCursor: null,
      },
    },
  },
  errors: ['INVALID_CURSOR'],
  uses: ['audit.query'],
});
