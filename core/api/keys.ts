import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';

const callers = ['session'] as const;
const tag = 'API keys';
export const keyNotFoundMessage = 'There is no such API key.';

const keySchema = z
  .object({
    keyId: z.string(),
    name: z.string(),
    preview: z.string().meta({ description: 'The first and last characters of the key.' }),
    createdAt: timestampSchema,
    lastUsedAt: timestampSchema
      .nullable()
      .meta({ description: 'Accurate to the minute. null if the key was never used.' }),
  })
  .meta({ id: 'ApiKey' });

const keyExample = {
  keyId: '0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6',
  name: 'Production server',
  preview: 'nte_bCnO…VK4e',
  createdAt: '2026-11-21T09:23:31.050Z',
  lastUsedAt: null,
};

export const listKeysContract = contract({
  id: 'listKeys',
  method: 'GET',
  path: '/api/v1/keys',
  tag,
  summary: 'List the API keys',
  callers,
  responses: {
    200: {
      description: 'The keys that are not revoked, oldest first, without their full values.',
      schema: z.object({ keys: z.array(keySchema) }),
      example: { keys: [keyExample] },
    },
  },
  errors: [],
  uses: ['table.query'],
});

export const createKeyContract = contract({
  id: 'createKey',
  method: 'POST',
  path: '/api/v1/keys',
  tag,
  summary: 'Create an API key',
  callers,
  body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
  bodyExample: { name: 'Production server' },
  responses: {
    201: {
      description: 'The key. Its full value is in this response only.',
      schema: keySchema.extend({ key: z.string() }).meta({ id: 'NewApiKey' }),
      example: { ...keyExample, key: 'nte_bCnOzaBmNyZAlMxY9kLwX8jKvW7iJuV6hItU5gHsT41iVK4e' },
    },
  },
  errors: [],
  uses: ['table.put'],
});

export const deleteKeyContract = contract({
  id: 'deleteKey',
  method: 'DELETE',
  path: '/api/v1/keys/{id}',
  tag,
  summary: 'Revoke an API key',
  description: 'The next request with this key answers 401.',
  callers,
  params: z.object({ id: z.uuid(keyNotFoundMessage).meta({ description: "The key's `keyId`." }) }),
  responses: { 204: { description: 'The key is revoked.' } },
  errors: [],
  uses: ['table.get', 'table.delete'],
});
