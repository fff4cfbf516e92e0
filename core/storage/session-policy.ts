import { underPrefix } from './object-key.ts';
import type { StorageProvider } from './provider.ts';

type Location = Pick<StorageProvider, 'bucket' | 'prefix' | 'region'>;

/** The limit of AssumeRole (AWS STS API Reference). */
export const maxSessionPolicyCharacters = 2048;

/** The session policy as AssumeRole takes it: JSON in Latin-1, other characters are escaped. */
export function sessionPolicyText(provider: Location, partition: string): string {
  const json = JSON.stringify(sessionPolicy(provider, partition));
  return json.replaceAll(/[^\x20-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What the service does with objects of a storage provider. */
const objectActions = [
  's3:GetObject',
  's3:PutObject',
  's3:PutObjectTagging',
  's3:DeleteObject',
  's3:AbortMultipartUpload',
];

/**
 * The session policy of an assumed role: one bucket, one prefix, and the actions that the service uses. What the role may
 * do beyond it is not available to the service (AWS IAM User Guide, "Session policies").
 */
export function sessionPolicy({ bucket, prefix, region }: Location, partition: string) {
  const bucketArn = `arn:${partition}:s3:::${bucket}`;
  const pattern = keyPattern(prefix);
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: objectActions, Resource: `${bucketArn}/${pattern}` },
      {
        Effect: 'Allow',
        Action: 's3:ListBucket',
        Resource: bucketArn,
        Condition: { StringLike: { 's3:prefix': pattern } },
      },
      // Supports no prefix.
      { Effect: 'Allow', Action: 's3:ListBucketMultipartUploads', Resource: bucketArn },
      {
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: '*',
        Condition: { StringEquals: { 'kms:ViaService': `s3.${region}.amazonaws.com` } },
      },
    ],
  };
}

/** The pattern of IAM of all keys under a prefix. */
export function keyPattern(prefix: string | undefined): string {
  return `${escapePattern(underPrefix('', prefix))}*`;
}

/** Policy variables stand for the characters that a pattern gives a meaning. */
function escapePattern(text: string): string {
  return text.replaceAll(/[*?$]/g, (character) => `\${${character}}`);
}
