import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { objectOptions } from './object-options.ts';
import { bucketAccesses, providerKinds } from './provider-kinds.ts';

/** The result of the last test of a provider. */
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
export type ProviderTest = z.infer<typeof lastTestSchema>;

/** The key of a provider. Providers are addressed through their owner only. */
export type StorageProviderRef = { ownerId: string; storageProviderId: string };

/** The same message whether no provider has the id or another owner's. */
export const storageProviderNotFoundMessage = 'There is no such storage provider.';

/** Providers of one owner. */
export const maxStorageProviders = 100;
