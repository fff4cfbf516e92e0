import * as z from 'zod';
import type { SecretCipher } from '../secret-cipher.ts';
import { timestampSchema } from '../timestamp.ts';
import { objectOptions } from './object-options.ts';

/** The kinds of storage that speak S3's protocol. Each has rules of its own for endpoint, region and access. */
export const providerKinds = ['s3', 'r2', 'b2', 'gcs', 's3-compatible'] as const;

/** What jobs may do in a bucket of the stage. */
export const bucketAccesses = ['read', 'write', 'read-write'] as const;

export type ProviderKind = (typeof providerKinds)[number];

const lastTestSchema = z.object({ at: timestampSchema, ok: z.boolean(), message: z.string() });

/** How the service signs requests to a provider. `encryptedSecret`: base64 of the secret access key, encrypted by KMS. */
const accessSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('role'), roleArn: z.string(), externalId: z.string() }),
  z.object({ type: z.literal('keys'), accessKeyId: z.string(), encryptedSecret: z.string() }),
  // With the permissions of the function itself. Never stored: the settings of the stage name the bucket.
  z.object({ type: z.literal('stage'), allows: z.enum(bucketAccesses) }),
]);

/** An owner's bucket: one item of the table. It never contains a secret in clear text. */
export const storageProviderSchema = z.object({
  ownerId: z.string(),
  storageProviderId: z.string(),
  name: z.string(),
  kind: z.enum(providerKinds),
  bucket: z.string(),
  region: z.string(),
  endpoint: z.string().optional(),
  /** Prefix of every key, without a leading slash. */
  prefix: z.string().optional(),
  forcePathStyle: z.boolean().optional(),
  ...objectOptions,
  access: accessSchema,
  lastTest: lastTestSchema.optional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});

export type StorageProvider = z.infer<typeof storageProviderSchema>;
/** The key of a provider. Providers are addressed through their owner only. */
export type StorageProviderRef = { ownerId: string; storageProviderId: string };

/** The same message whether no provider has the id or another owner's. */
export const storageProviderNotFoundMessage = 'There is no such storage provider.';

/** Providers of one owner. */
export const maxStorageProviders = 100;

/** The table of storage providers. Reads are strongly consistent. */
export type StorageProviderTable = {
  get(ref: StorageProviderRef): Promise<StorageProvider | undefined>;
  /** Oldest first. */
  list(ownerId: string): Promise<StorageProvider[]>;
  create(provider: StorageProvider): Promise<void>;
  /** Replaces the provider's version of `before`; false if there is another version or none. */
  replace(provider: StorageProvider, before: Pick<StorageProvider, 'updatedAt'>): Promise<boolean>;
  remove(ref: StorageProviderRef): Promise<void>;
  /** Records a test of the provider's version of `updatedAt`; does nothing if it has changed since. */
  recordTest(
    tested: Pick<StorageProvider, 'ownerId' | 'storageProviderId' | 'updatedAt'>,
    test: z.infer<typeof lastTestSchema>,
  ): Promise<void>;
};

export type ProviderSecretCipher = SecretCipher<StorageProviderRef>;

/** The result of a test: a sentence that names the failed step and the provider's own error code. */
export type TestResult = { ok: boolean; message: string };

/** Writes, reads, lists and removes one small object of a provider. */
export type TestStorageProvider = (provider: StorageProvider) => Promise<TestResult>;

/** The steps of the test of a storage provider, in order. The message of a failed test begins with one of them. */
export const providerTestSteps = ['Access', 'Write', 'Read', 'List', 'Removal'] as const;

export type ProviderTestStep = (typeof providerTestSteps)[number];
