import * as z from 'zod';
import { stageOwnerId, type Tenancy } from '../../core/access/owner.ts';
import { keyPrefixSchema } from '../../core/storage/object-key.ts';
import { bucketAccesses } from '../../core/storage/provider.ts';
import { awsBucket } from '../../core/storage/provider-rules.ts';
import type { StageBucket } from '../../core/storage/stage-bucket.ts';
import { localOwnerId } from './local-owner.ts';

/** A function has 4 KiB of environment variables, and others need the rest (AWS Lambda Developer Guide, "Lambda quotas"). */
const maxEnvironmentCharacters = 1_500;

const name = z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 lower-case letters, digits or hyphens');

const bucketSchema = z.strictObject({
  name,
  bucket: z
    .string()
    .regex(awsBucket, 'must be the name of an S3 bucket')
    .refine((bucket) => !/^media-jobs-.+-media$/.test(bucket), 'must not be the bucket of a stage'),
  prefix: keyPrefixSchema
    .refine((prefix) => !/[{}]/.test(prefix.replaceAll('{ownerId}', '')), 'must have no placeholder but {ownerId}')
    .optional(),
  access: z.enum(bucketAccesses, 'must be read, write or read-write'),
  owners: z
    .array(z.string().regex(/^[\w-]{1,100}$/, 'must be the id of an owner'))
    .min(1, 'must name an owner')
    .optional(),
  kmsKeyArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a KMS key')
    .optional(),
  create: z.boolean('must be true or false').optional(),
  playback: z.boolean('must be true or false').optional(),
});

export const bucketsSchema = z
  .array(bucketSchema)
  .default([])
  .describe(
    'Buckets of the account, each a storage provider `bucket:<name>` of its owners: `{ name, bucket, prefix?, access, owners?, kmsKeyArn?, create?, playback? }`. See [storage.md](storage.md#buckets-of-the-account).',
  );

export type BucketSettings = { stage: string; tenancy: Tenancy; buckets: readonly z.output<typeof bucketSchema>[] };

export function checkBuckets({ stage, tenancy, buckets }: BucketSettings, context: z.RefinementCtx): void {
  const reject = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path: ['buckets', ...path], message });
  for (const [index, { name: own, prefix = '', owners }] of buckets.entries()) {
    if (buckets.findIndex((other) => other.name === own) < index) reject([index, 'name'], 'must be of one bucket only');
    if (tenancy === 'single') {
      if (owners) reject([index, 'owners'], 'must be unset: a stage whose tenancy is single has one owner');
      continue;
    }
    if (owners === undefined && stage !== 'local') reject([index, 'owners'], 'must be set with tenancy multi');
    if (new Set(owners).size > 1 && !prefix.includes('{ownerId}')) {
      reject([index, 'prefix'], 'must contain {ownerId}, since owners names more than one');
    }
  }
  const { length } = JSON.stringify(stageBuckets({ stage, tenancy, buckets }));
  if (length > maxEnvironmentCharacters) {
    reject([], `must fit into an environment variable: these have ${length} of ${maxEnvironmentCharacters} characters`);
  }
}

export function stageBuckets({ tenancy, buckets }: BucketSettings): StageBucket[] {
  // Without owners, only a stage `local` has several: its buckets are those of the key that it prints.
  const defaultOwners = [tenancy === 'single' ? stageOwnerId : localOwnerId];
  return buckets.map(({ kmsKeyArn: _, create: __, owners = defaultOwners, ...bucket }) => ({ ...bucket, owners }));
}
