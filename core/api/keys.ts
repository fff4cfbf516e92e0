import { speeds } from '@media-jobs/video/encoding';
import * as z from 'zod';
import { auditDays } from '../access/audit.ts';
import { erasureHours, erasureSchema } from '../access/erasure.ts';
import { keyLimitsSchema, scopeSchema } from '../access/key-record.ts';
import { defaultScopes } from '../access/scopes.ts';
import { requestTimestampSchema, timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';
import { requestUuid } from './field-schemas.ts';
import { idempotencyHeaders, replayedHeader } from './job-fields.ts';

const common = { function: 'keys', tag: 'API keys', callers: ['key', 'session'], scope: 'keys' } as const;

export const keyNotFoundMessage = 'There is no such API key.';

const keySchema = z
  .object({
    keyId: z.string(),
    name: z.string(),
    preview: z.string().describe('The first and last characters of the key.'),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema.nullable().describe('Accurate to the minute. null if the key was never used.'),
    scopes: z.array(scopeSchema),
    expiresAt: timestampSchema.nullable().describe('null if the key is valid until it is revoked.'),
    limits: keyLimitsSchema,
    defaultSpeed: z.enum(speeds).nullable().describe('null: that of the stage.'),
    parentId: z.string().nullable().describe('The `keyId` of the key that created this one. null if a session did.'),
  })
  .meta({ id: 'ApiKey' });

const keyExample = {
  keyId: '0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6',
  name: 'Production server',
  preview: 'nte_bCnO…VK4e',
  createdAt: '2026-11-21T09:23:31.050Z',
  lastUsedAt: null,
  scopes: defaultScopes,
  expiresAt: null,
  limits: {},
  defaultSpeed: null,
  parentId: null,
};

export const listKeysContract = contract({
  ...common,
  id: 'listKeys',
  method: 'GET',
  path: '/api/v1/keys',
  summary: 'List the API keys',
  description: 'A session sees every key of the owner. A key sees itself and the keys that it created.',
  responses: {
    200: {
      description: 'The valid keys, oldest first, without their full values.',
      schema: z.object({ keys: z.array(keySchema) }),
      example: { keys: [keyExample] },
    },
  },
  uses: ['keys.query'],
});

export const createKeyContract = contract({
  ...common,
  id: 'createKey',
  method: 'POST',
  path: '/api/v1/keys',
  summary: 'Create an API key',
  description:
    'A session can create any key. A key can create keys with at most its own scopes, expiry and limits, which are valid only as long as it is: for example a key for a browser that may only upload, for ten minutes.',
  headers: idempotencyHeaders,
  body: z.strictObject({
    name: z.string().trim().min(1).max(100),
    scopes: z
      .array(scopeSchema)
      .min(1)
      .optional()
      .describe(`What the key may do. Default: ${defaultScopes.join(', ')}, as far as the creator has them.`),
    expiresAt: requestTimestampSchema
      .optional()
      .describe('From then on the key answers 401. Default: the expiry of the key that creates it, or none.'),
    limits: keyLimitsSchema.optional(),
    defaultSpeed: z
      .enum(speeds)
      .optional()
      .describe('Of jobs whose request has no `speed`. Default: that of the key that creates it, or of the stage.'),
  }),
  bodyExample: { name: 'Production server' },
  responses: {
    201: {
      description:
        'The key. Its full value is in this response only. A replay has the same `keyId` and a new key: it revokes the one before at once, with the keys that the old one created.',
      headers: replayedHeader,
      schema: keySchema.extend({ key: z.string() }).meta({ id: 'NewApiKey' }),
      example: { ...keyExample, key: 'nte_bCnOzaBmNyZAlMxY9kLwX8jKvW7iJuV6hItU5gHsT41iVK4e' },
    },
  },
  errors: ['IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: [
    'table.get',
    'table.put',
    'keys.get',
    'keys.query',
    'keys.put',
    'keys.delete',
    'keys.batchDelete',
    'speeds.choose',
  ],
  audit: { made: 'keyId' },
});

export const deleteKeyContract = contract({
  ...common,
  id: 'deleteKey',
  method: 'DELETE',
  path: '/api/v1/keys/{id}',
  summary: 'Revoke an API key',
  description:
    'The next request with this key answers 401, as do the keys that it created. A key can revoke itself and the keys that it created.',
  params: z.object({ id: requestUuid(keyNotFoundMessage).describe("The key's `keyId`.") }),
  responses: { 204: { description: 'The key is revoked.' } },
  uses: ['keys.get', 'keys.query', 'keys.delete', 'keys.batchDelete'],
  audit: {},
});

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
    confirm: z.string().describe('The id of the owner, which the error of another value names.'),
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
