import { Aws } from 'aws-cdk-lib';
import { keyPattern } from '../core/storage/session-policy.ts';
import { prefixOf } from '../core/storage/stage-bucket.ts';
import { stageBuckets } from './settings/buckets.ts';
import type { Settings } from './settings/settings.ts';

const readable = /read/;
const writable = /write/;

/** Actions on the objects under a prefix, of those buckets whose `access` matches. */
type BucketGrant = {
  access: RegExp;
  objects?: readonly string[];
  bucket?: readonly string[];
  list?: true | 'versions';
  kms?: readonly string[];
};

const decrypt = ['kms:Decrypt'];
/** A multipart upload needs both (Amazon S3 User Guide, "Multipart upload API and permissions"). */
const encrypt = ['kms:Decrypt', 'kms:GenerateDataKey'];

/** The permissions of each use on buckets of the account. No other place grants any. */
const bucketGrants = {
  'buckets.describe': [],
  // URLs of files have the permissions of their signer.
  'buckets.open': [{ access: writable, objects: ['s3:GetObject'], kms: decrypt }],
  // Without listing, S3 does not tell a missing object from a denied one.
  'buckets.read': [{ access: readable, objects: ['s3:GetObject'], list: true, kms: decrypt }],
  'buckets.watch': [{ access: readable, objects: ['s3:GetObject'], list: 'versions', kms: decrypt }],
  // A stored file is compared with what was sent, and removed if its job fails.
  'buckets.write': [
    {
      access: writable,
      objects: ['s3:PutObject', 's3:PutObjectTagging', 's3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      bucket: ['s3:ListBucketMultipartUploads'],
      kms: encrypt,
    },
  ],
  'buckets.remove': [
    {
      access: writable,
      objects: ['s3:GetObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
      bucket: ['s3:ListBucketMultipartUploads'],
      kms: decrypt,
    },
  ],
  'buckets.test': [
    { access: readable, list: true },
    { access: writable, objects: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], list: true, kms: encrypt },
  ],
} as const satisfies Record<string, readonly BucketGrant[]>;

export type BucketUse = keyof typeof bucketGrants;

export function isBucketUse(use: string): use is BucketUse {
  return use in bucketGrants;
}

export type BucketStatement = {
  actions: readonly string[];
  resources: string[];
  conditions?: Record<string, Record<string, unknown>> | undefined;
};

/** Whose items and files a statement allows: those of all owners, or those of the owner and the job of a session. */
export type Scope = 'stage' | 'job';

/** The owner of a session of the role `TranscodeJob`, by its tag. */
export const ownerTag = '${aws:PrincipalTag/owner}';

/** The statements of a use: of each bucket, the prefixes of its owners, or that of the session's owner, and nothing else. */
export function bucketStatements(use: BucketUse, settings: Settings, scope: Scope): BucketStatement[] {
  const described = stageBuckets(settings);
  return settings.buckets.flatMap(({ kmsKeyArn }, index) => {
    const bucket = described[index];
    if (bucket === undefined) return [];
    const bucketArn = `arn:${Aws.PARTITION}:s3:::${bucket.bucket}`;
    const ofOwners = bucket.owners.map((ownerId) => keyPattern(prefixOf(bucket, ownerId)));
    const ofSession = keyPattern(bucket.prefix).replaceAll('{ownerId}', ownerTag);
    const patterns = scope === 'job' ? [ofSession] : [...new Set(ofOwners)];
    const conditions = scope === 'job' ? { StringEquals: { 'aws:PrincipalTag/owner': bucket.owners } } : undefined;
    const granted: readonly BucketGrant[] = bucketGrants[use];
    return granted
      .filter(({ access }) => access.test(bucket.access))
      .flatMap(({ objects, bucket: onBucket, list, kms }): BucketStatement[] => [
        ...(objects ? [{ actions: objects, resources: patterns.map((pattern) => `${bucketArn}/${pattern}`) }] : []),
        // Supports no prefix.
        ...(onBucket ? [{ actions: onBucket, resources: [bucketArn] }] : []),
        ...(list ? [listing(bucketArn, patterns, list)] : []),
        ...(kms && kmsKeyArn ? [{ actions: kms, resources: [kmsKeyArn], conditions: viaS3 }] : []),
      ])
      .map((statement) => ({ ...statement, conditions: merge(statement.conditions, conditions) }));
  });
}

type Conditions = BucketStatement['conditions'];

function merge(one: Conditions, other: Conditions): Conditions {
  if (one === undefined || other === undefined) return one ?? other;
  return { ...one, ...other, StringEquals: { ...one.StringEquals, ...other.StringEquals } };
}

const viaS3 = { StringEquals: { 'kms:ViaService': `s3.${Aws.REGION}.amazonaws.com` } };

function listing(bucketArn: string, patterns: string[], list: true | 'versions'): BucketStatement {
  const actions = list === 'versions' ? ['s3:ListBucket', 's3:ListBucketVersions'] : ['s3:ListBucket'];
  const statement = { actions, resources: [bucketArn] };
  return patterns.includes('*') ? statement : { ...statement, conditions: { StringLike: { 's3:prefix': patterns } } };
}
