import { formatDollars } from '@media-jobs/cli/formatting';
import { dollarsOf, pricesOf } from '../../../core/pricing/region-prices.ts';
import { namePrefix, secretsKeyAlias, statefulResourceNames } from '../../names.ts';

/** $ of a KMS key, and of a GB in DynamoDB, in a month. Neither has a dated source. */
const keyMonth = 1;
const tableGbMonth = 0.25;

export type Remainder = {
  stage: string;
  account: string;
  region: string;
  /** A restored table, in place of that of the stage. */
  table?: string | undefined;
  madeBuckets: readonly string[];
};

/**
 * Shell function that removes all versions of all objects of a bucket, a page of 1,000 at a time: `aws s3 rb --force` leaves
 * noncurrent versions. It passes a page by standard input, since that is longer than Linux allows for one argument.
 */
const emptyBucket = [
  'empty_bucket() { while objects=$(aws s3api list-object-versions --bucket $1 --no-paginate --output json',
  "--query '{Objects:[Versions,DeleteMarkers][].{Key:Key,VersionId:VersionId},Quiet:`true`}') || return;",
  'case $objects in *VersionId*) ;; *) return 0 ;; esac;',
  'do failed=$(printf %s "$objects" | aws s3api delete-objects --bucket $1 --delete file:///dev/stdin --output text',
  "--query 'Errors[0].[Key,Message]') || return;",
  'case $failed in ""|None*) ;; *) echo "$failed" >&2; return 1 ;; esac; done; }',
].join(' ');

/** The sentence about what a destroyed stage leaves: names, what they cost in a month, and the command that removes them. */
export function describeRemainder({ stage, account, region, table: restored, madeBuckets }: Remainder): string {
  const names = statefulResourceNames({ stage, account, region });
  const { mediaBucket } = names;
  const table = restored ?? names.table;
  const { fileMonth } = dollarsOf(pricesOf(region));
  const alias = secretsKeyAlias(stage);
  const stack = `${namePrefix(stage)}-stateful`;
  const buckets = [mediaBucket, ...madeBuckets];
  const commands = [
    `export AWS_REGION=${region} AWS_DEFAULT_REGION=${region}`,
    `key=$(aws kms describe-key --key-id ${alias} --query KeyMetadata.KeyId --output text)`,
    `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stack}`,
    `aws cloudformation delete-stack --stack-name ${stack}`,
    `aws dynamodb update-table --table-name ${table} --no-deletion-protection-enabled`,
    `aws dynamodb wait table-exists --table-name ${table}`,
    `aws dynamodb delete-table --table-name ${table}`,
    emptyBucket,
    ...buckets.map((bucket) => `empty_bucket ${bucket} && aws s3 rb s3://${bucket}`),
    `aws kms delete-alias --alias-name ${alias}`,
    'aws kms schedule-key-deletion --key-id "$key"',
  ];
  const cost = `${formatDollars(keyMonth)} for the key, ${formatDollars(tableGbMonth)} for each GB of the table and ${formatDollars(fileMonth)} for each GB of a bucket`;
  return `Kept: table ${table}, ${buckets.length === 1 ? 'bucket' : 'buckets'} ${buckets.join(', ')} and key ${alias}, at ${cost} a month. This removes them with all records and files: ${commands.join(' && ')}`;
}
