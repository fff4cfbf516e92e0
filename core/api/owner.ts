import * as z from 'zod';
import { auditDays } from '../access/audit.ts';
import { erasureHours, erasureSchema } from '../access/erasure.ts';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';

export const eraseOwnerContract = contract({
  id: 'eraseOwner',
  function: 'keys',
  method: 'DELETE',
  path: '/api/v1/owner',
  tag: 'Settings',
  summary: 'Erase all data of the owner',
  description: `Revokes every API key at once and cancels every job. Within ${erasureHours} hours all jobs, files, uploads, presets, storage providers, settings and usage are gone; until then every other change answers \`OWNER_BEING_ERASED\`. Files at a storage provider are yours and stay. The audit log stays for its ${auditDays} days. An API key cannot do this. A repeated request changes nothing.`,
  callers: ['session'],
  body: z.strictObject({
    confirm: z.string().meta({ description: 'The id of the owner, which the error of another value names.' }),
  }),
  bodyExample: { confirm: 'stage' },
  responses: {
    202: {
      description: 'The erasure has begun.',
      schema: erasureSchema.extend({ endsBy: timestampSchema }).meta({ id: 'Erasure' }),
      example: { ownerId: 'stage', requestedAt: '2026-11-21T09:23:31.050Z', endsBy: '2026-11-22T09:23:31.050Z' },
    },
  },
  uses: ['table.get', 'table.put', 'keys.query', 'keys.batchDelete'],
  audit: {},
});
