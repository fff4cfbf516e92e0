import * as z from 'zod';
import { storageProviderNotFoundMessage } from '../storage/provider.ts';
import { storageProviderIdPattern } from '../storage/storage-url.ts';
import { contract } from './contract.ts';
import { idempotencyHeaders, replayedHeader } from './job-fields.ts';
import {
  newStorageProviderExample,
  newStorageProviderSchema,
  storageProviderExample,
  storageProviderSchema,
  storageProviderUpdateSchema,
} from './storage-provider.ts';

const common = {
  function: 'storage',
  tag: 'Storage providers',
  callers: ['key', 'session'],
  scope: 'storage',
} as const;
const path = '/api/v1/storage-providers';

const params = z.object({
  id: z.string().regex(storageProviderIdPattern, storageProviderNotFoundMessage).describe("The provider's `id`."),
});

const provider = {
  description: 'The storage provider, without its secret.',
  schema: storageProviderSchema,
  example: storageProviderExample,
};

export const listStorageProvidersContract = contract({
  ...common,
  id: 'listStorageProviders',
  method: 'GET',
  path,
  summary: 'List the storage providers',
  responses: {
    200: {
      description: 'The buckets of the stage, then your own storage providers, oldest first.',
      schema: z.object({ storageProviders: z.array(storageProviderSchema) }),
      example: { storageProviders: [storageProviderExample] },
    },
  },
  uses: ['table.query', 'buckets.describe'],
});

export const createStorageProviderContract = contract({
  ...common,
  id: 'createStorageProvider',
  method: 'POST',
  path,
  summary: 'Add a storage provider',
  description:
    'Your own bucket, for results and inputs of jobs. Nothing is sent to it before it is tested or used: test it next.',
  headers: idempotencyHeaders,
  body: newStorageProviderSchema,
  bodyExample: newStorageProviderExample,
  responses: { 201: { ...provider, headers: { Location: 'The path of the storage provider.', ...replayedHeader } } },
  errors: ['INVALID_URL', 'IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: ['table.get', 'table.query', 'table.put', 'secrets.encrypt', 'roles.describe'],
  audit: { made: 'id' },
});

export const getStorageProviderContract = contract({
  ...common,
  id: 'getStorageProvider',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Read a storage provider',
  params,
  responses: { 200: provider },
  uses: ['table.get', 'buckets.describe'],
});

export const updateStorageProviderContract = contract({
  ...common,
  id: 'updateStorageProvider',
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Replace the settings of a storage provider',
  description:
    'Running jobs use the new access within two minutes: keep an old access key valid for that long. Without `secretAccessKey` the stored one stays, if `kind`, `endpoint` and `bucket` stay too.',
  params,
  body: storageProviderUpdateSchema,
  bodyExample: newStorageProviderExample,
  responses: { 200: provider },
  errors: ['INVALID_URL', 'STORAGE_PROVIDER_OF_STAGE'],
  uses: ['table.get', 'table.put', 'secrets.encrypt', 'roles.describe'],
  audit: {},
});

export const deleteStorageProviderContract = contract({
  ...common,
  id: 'deleteStorageProvider',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Remove a storage provider',
  description:
    'Removes the settings and the secret. Files in the bucket stay; URLs of them in finished jobs stop working.',
  params,
  responses: { 204: { description: 'The storage provider is removed.' } },
  errors: ['STORAGE_PROVIDER_IN_USE', 'STORAGE_PROVIDER_OF_STAGE'],
  uses: ['table.get', 'waiting.query', 'table.delete'],
  audit: {},
});

export const testStorageProviderContract = contract({
  ...common,
  id: 'testStorageProvider',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Test a storage provider',
  description:
    'Writes, reads, lists and removes one small object under the prefix. With `tenancy` `multi` one test of an owner runs at a time.',
  params,
  responses: {
    200: {
      description: 'The result. `message` names the step that failed and the error code of the provider.',
      schema: z.object({ ok: z.boolean(), message: z.string() }),
      example: { ok: false, message: 'Write failed: the provider answered AccessDenied (403).' },
    },
  },
  errors: ['LIMIT_EXCEEDED'],
  uses: ['table.get', 'table.put', 'table.update', 'secrets.decrypt', 'roles.assume', 'buckets.test'],
});

export const getExternalIdContract = contract({
  ...common,
  id: 'getExternalId',
  method: 'GET',
  path: `${path}/external-id`,
  summary: 'Read the trust policy that a role needs',
  description:
    'For access to Amazon S3 by a role: create the role with this trust policy. The external id is yours and does not change.',
  responses: {
    200: {
      description: 'The external id, the trusted principal, and the trust policy with both.',
      schema: z.object({
        externalId: z.string(),
        principalArn: z.string(),
        trustPolicy: z.record(z.string(), z.unknown()),
      }),
      example: {
        externalId: storageProviderExample.access.externalId,
        principalArn: 'arn:aws:iam::444455556666:root',
        trustPolicy: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Principal: { AWS: 'arn:aws:iam::444455556666:root' },
              Action: 'sts:AssumeRole',
              Condition: {
                StringEquals: { 'sts:ExternalId': storageProviderExample.access.externalId },
                ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::444455556666:role/media-jobs-production-*' },
              },
            },
          ],
        },
      },
    },
  },
  uses: ['roles.describe'],
});
