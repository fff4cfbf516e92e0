import * as z from 'zod';
import { maxUrlCharacters } from '../net/check-url.ts';
import { keyPrefixSchema } from '../storage/object-key.ts';
import { storageProviderNotFoundMessage } from '../storage/provider.ts';
import { storageProviderIdPattern } from '../storage/provider-id.ts';
import { providerKinds } from '../storage/provider-kinds.ts';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';

const callers = ['key', 'session'] as const;
const scope = 'storage';
const tag = 'Storage providers';
const path = '/api/v1/storage-providers';

const kind = z.enum(providerKinds).meta({
  description:
    '`s3`: Amazon S3. `r2`: Cloudflare R2. `b2`: Backblaze B2. `gcs`: Google Cloud Storage by its XML API. `s3-compatible`: MinIO and others.',
});
const bucket = z
  .string()
  .regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{1,220}[A-Za-z0-9]$/, 'is not a bucket name');
const region = z.string().regex(/^[a-z0-9-]{1,63}$/, 'must have lower-case letters, digits and hyphens');
const endpoint = z.string().min(1).max(maxUrlCharacters).meta({
  description: 'Base URL of the service without a path, for `r2` and `s3-compatible`.',
});
const prefix = keyPrefixSchema.meta({ description: 'Prefix of all keys.' });
const forcePathStyle = z.boolean().meta({
  description:
    'For `s3-compatible`: whether the bucket is part of the path instead of the host. Default: true.',
});
const roleArn = z
  .string()
  .max(600)
  .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, 'is not the ARN of a role');
const accessKeyId = z.string().regex(/^[\x21-\x7e]{1,256}$/, 'must be 1 to 256 printable ASCII characters');

/** A secret is at most 1 KiB: KMS encrypts up to 4 KiB. */
const secretAccessKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,1024}$/, 'must be 1 to 1,024 printable ASCII characters')
  .meta({ writeOnly: true, description: 'Stored encrypted and never returned.' });

const roleAccess = z.strictObject({ type: z.literal('role'), roleArn });

const common = {
  name: z.string().trim().min(1).max(100),
  kind,
  bucket,
  region: region.optional().meta({ description: 'Required for `s3` and `b2`.' }),
  endpoint: endpoint.optional(),
  prefix: prefix.optional(),
  forcePathStyle: forcePathStyle.optional(),
};

const createBody = z
  .strictObject({
    ...common,
    access: z.discriminatedUnion('type', [
      roleAccess,
      z.strictObject({ type: z.literal('keys'), accessKeyId, secretAccessKey }),
    ]),
  })
  .meta({ id: 'NewStorageProvider' });

const updateBody = z
  .strictObject({
    ...common,
    access: z.discriminatedUnion('type', [
      roleAccess,
      z.strictObject({
        type: z.literal('keys'),
        accessKeyId,
        secretAccessKey: secretAccessKey.optional().meta({
          writeOnly: true,
          description: 'Without it the stored secret stays.',
        }),
      }),
    ]),
  })
  .meta({ id: 'StorageProviderUpdate' });

export type StorageProviderRequest = z.output<typeof updateBody>;

const storageProviderSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    kind,
    bucket: z.string(),
    region: z.string(),
    endpoint: z.string().optional(),
    prefix: z.string().optional(),
    forcePathStyle: z.boolean().optional(),
    access: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('role'),
        roleArn: z.string(),
        externalId: z.string().meta({ description: 'The role has to demand it in `sts:ExternalId`.' }),
      }),
      z.object({ type: z.literal('keys'), accessKeyId: z.string() }),
    ]),
    lastTest: z.object({ at: timestampSchema, ok: z.boolean(), message: z.string() }).nullable().meta({
      description: 'The last test of these settings. null if there was none since the last change.',
    }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema,
  })
  .meta({ id: 'StorageProvider' });

const exampleId = 'sp_0199c3b51b2c7f10a4d25e6f8a90b1c2';

const providerExample = {
  id: exampleId,
  name: 'Production bucket',
  kind: 's3',
  bucket: 'example-media',
  region: 'eu-central-1',
  prefix: 'videos/',
  access: {
    type: 'role',
    roleArn: 'arn:aws:iam::111122223333:role/media-jobs',
    externalId: 'production-4b1c0d3e5f60718293a4b5c6d7e8f90112233445',
  },
  lastTest: null,
  createdAt: '2026-11-21T09:23:31.050Z',
  updatedAt: '2026-11-21T09:23:31.050Z',
} as const;

const bodyExample = {
  name: 'Production bucket',
  kind: 's3',
  bucket: 'example-media',
  region: 'eu-central-1',
  prefix: 'videos/',
  access: { type: 'role', roleArn: 'arn:aws:iam::111122223333:role/media-jobs' },
};

const params = z.object({
  id: z.string().regex(storageProviderIdPattern, storageProviderNotFoundMessage).meta({
    description: "The provider's `id`.",
  }),
});

const provider = {
  description: 'The storage provider, without its secret.',
  schema: storageProviderSchema,
  example: providerExample,
};

export const listStorageProvidersContract = contract({
  id: 'listStorageProviders',
  method: 'GET',
  path,
  tag,
  summary: 'List the storage providers',
  callers,
  scope,
  responses: {
    200: {
      description: 'All storage providers, oldest first.',
      schema: z.object({ storageProviders: z.array(storageProviderSchema) }),
      example: { storageProviders: [providerExample] },
    },
  },
  errors: [],
  uses: ['table.query'],
});

export const createStorageProviderContract = contract({
  id: 'createStorageProvider',
  method: 'POST',
  path,
  tag,
  summary: 'Add a storage provider',
  description:
    'A bucket of your own, for results and inputs of jobs. Nothing is sent to it before it is tested or used: test it next.',
  callers,
  scope,
  body: createBody,
  bodyExample,
  responses: { 201: { ...provider, headers: { Location: 'The path of the storage provider.' } } },
  errors: ['INVALID_URL', 'LIMIT_EXCEEDED'],
  uses: ['table.query', 'table.put', 'secrets.encrypt', 'roles.describe'],
});

export const getStorageProviderContract = contract({
  id: 'getStorageProvider',
  method: 'GET',
  path: `${path}/{id}`,
  tag,
  summary: 'Read a storage provider',
  callers,
  scope,
  params,
  responses: { 200: provider },
  errors: [],
  uses: ['table.get'],
});

export const updateStorageProviderContract = contract({
  id: 'updateStorageProvider',
  method: 'PUT',
  path: `${path}/{id}`,
  tag,
  summary: 'Replace the settings of a storage provider',
  description:
    'Running jobs use the new access within two minutes: keep an old access key valid for that long. Without `secretAccessKey` the stored one stays.',
  callers,
  scope,
  params,
  body: updateBody,
  bodyExample,
  responses: { 200: provider },
  errors: ['INVALID_URL'],
  uses: ['table.get', 'table.put', 'secrets.encrypt', 'roles.describe'],
});

export const deleteStorageProviderContract = contract({
  id: 'deleteStorageProvider',
  method: 'DELETE',
  path: `${path}/{id}`,
  tag,
  summary: 'Remove a storage provider',
  description:
    'Removes the settings and the secret. Files in the bucket stay; URLs of them in finished jobs stop working.',
  callers,
  scope,
  params,
  responses: { 204: { description: 'The storage provider is removed.' } },
  errors: ['STORAGE_PROVIDER_IN_USE'],
  uses: ['table.get', 'table.query', 'table.batchGet', 'table.delete'],
});

export const testStorageProviderContract = contract({
  id: 'testStorageProvider',
  method: 'POST',
  path: `${path}/{id}/test`,
  tag,
  summary: 'Test a storage provider',
  description: 'Writes, reads, lists and removes one small object under the prefix.',
  callers,
  scope,
  params,
  responses: {
    200: {
      description: 'The result. `message` names the step that failed and the error code of the provider.',
      schema: z.object({ ok: z.boolean(), message: z.string() }),
      example: { ok: false, message: 'Write failed: the provider answered AccessDenied (403).' },
    },
  },
  errors: [],
  uses: ['table.get', 'table.update', 'secrets.decrypt', 'roles.assume'],
});

export const getExternalIdContract = contract({
  id: 'getExternalId',
  method: 'GET',
  path: `${path}/external-id`,
  tag,
  summary: 'Read what a role has to trust',
  description:
    'For access to Amazon S3 by a role: create the role with this trust policy. The external id is yours and does not change.',
  callers,
  scope,
  responses: {
    200: {
      description: 'The external id, the trusted principal, and the trust policy with both.',
      schema: z.object({
        externalId: z.string(),
        principalArn: z.string(),
        trustPolicy: z.record(z.string(), z.unknown()),
      }),
      example: {
        externalId: providerExample.access.externalId,
        principalArn: 'arn:aws:iam::444455556666:root',
        trustPolicy: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Principal: { AWS: 'arn:aws:iam::444455556666:root' },
              Action: 'sts:AssumeRole',
              Condition: {
                StringEquals: { 'sts:ExternalId': providerExample.access.externalId },
                ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::444455556666:role/media-jobs-production-*' },
              },
            },
          ],
        },
      },
    },
  },
  errors: [],
  uses: ['roles.describe'],
});
