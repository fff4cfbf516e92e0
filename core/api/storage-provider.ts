import { maxUrlCharacters } from '@media-jobs/video/recipes';
import * as z from 'zod';
import { keyPrefixSchema } from '../storage/object-key.ts';
import { objectOptions } from '../storage/object-options.ts';
import { bucketAccesses, providerKinds } from '../storage/provider.ts';
import { timestampSchema } from '../timestamp.ts';

const kind = z
  .enum(providerKinds)
  .describe(
    '`s3`: Amazon S3. `r2`: Cloudflare R2. `b2`: Backblaze B2. `gcs`: Google Cloud Storage by its XML API. `s3-compatible`: MinIO and others.',
  );
const bucket = z.string().regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{1,220}[A-Za-z0-9]$/, 'Must be a bucket name');
const region = z.string().regex(/^[a-z0-9-]{1,63}$/, 'Must have lower-case letters, digits and hyphens');
const endpoint = z.string().min(1).max(maxUrlCharacters).meta({
  description: 'Base URL of the service without a path, for `r2` and `s3-compatible`.',
});
const prefix = keyPrefixSchema.describe('Prefix of all keys.');
const forcePathStyle = z
  .boolean()
  .describe('For `s3-compatible`: whether the bucket is part of the path instead of the host. Default: true.');
const roleArn = z
  .string()
  .max(600)
  .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, 'Must be the ARN of a role');
const accessKeyId = z.string().regex(/^[\x21-\x7e]{1,256}$/, 'Must be 1 to 256 printable ASCII characters');

/** A secret is at most 1 KiB: KMS encrypts up to 4 KiB. */
const secretAccessKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,1024}$/, 'Must be 1 to 1,024 printable ASCII characters')
  .meta({ writeOnly: true, description: 'Stored encrypted and never returned.' });

const roleAccess = z.strictObject({ type: z.literal('role'), roleArn });

const common = {
  name: z.string().trim().min(1).max(100),
  kind,
  bucket,
  region: region.optional().describe('Required for `s3` and `b2`.'),
  endpoint: endpoint.optional(),
  prefix: prefix.optional(),
  forcePathStyle: forcePathStyle.optional(),
  ...objectOptions,
};

export const newStorageProviderSchema = z
  .strictObject({
    ...common,
    access: z.discriminatedUnion('type', [
      roleAccess,
      z.strictObject({ type: z.literal('keys'), accessKeyId, secretAccessKey }),
    ]),
  })
  .meta({ id: 'NewStorageProvider' });

export const storageProviderUpdateSchema = z
  .strictObject({
    ...common,
    access: z.discriminatedUnion('type', [
      roleAccess,
      z.strictObject({
        type: z.literal('keys'),
        accessKeyId,
        secretAccessKey: secretAccessKey.optional().meta({
          writeOnly: true,
          description: 'Without it the stored secret stays. Required with another `kind`, `endpoint` or `bucket`.',
        }),
      }),
    ]),
  })
  .meta({ id: 'StorageProviderUpdate' });

export type StorageProviderRequest = z.output<typeof storageProviderUpdateSchema>;

export const storageProviderSchema = z
  .object({
    id: z.string().describe('`sp_…`, or `bucket:<name>` for a bucket of the stage.'),
    name: z.string(),
    kind,
    bucket: z.string(),
    region: z.string(),
    endpoint: z.string().optional(),
    prefix: z.string().optional(),
    forcePathStyle: z.boolean().optional(),
    ...objectOptions,
    access: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('role'),
        roleArn: z.string(),
        externalId: z.string().describe('The role must require it in `sts:ExternalId`.'),
      }),
      z.object({ type: z.literal('keys'), accessKeyId: z.string() }),
      z.object({ type: z.literal('stage') }),
    ]),
    allows: z
      .enum(bucketAccesses)
      .optional()
      .describe('What jobs may do in a bucket of the stage. It cannot be changed or removed by the API.'),
    lastTest: z
      .object({ at: timestampSchema, ok: z.boolean(), message: z.string() })
      .nullable()
      .describe('The last test of these settings. null if there was none since the last change.'),
    createdAt: timestampSchema.optional().describe('Not of a bucket of the stage.'),
    updatedAt: timestampSchema.optional(),
  })
  .meta({ id: 'StorageProvider' });

const exampleId = 'sp_0199c3b51b2c7f10a4d25e6f8a90b1c2';

export const storageProviderExample = {
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

export const newStorageProviderExample = {
  name: 'Production bucket',
  kind: 's3',
  bucket: 'example-media',
  region: 'eu-central-1',
  prefix: 'videos/',
  access: { type: 'role', roleArn: 'arn:aws:iam::111122223333:role/media-jobs' },
};
