import { Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { EdgeSettings } from '../settings/edge.ts';
import type { Settings } from '../settings/settings.ts';
import { keepLogsOfAutoDelete } from './dashboard-site.ts';

/**
 * Regions that are enabled by default. CloudFront writes logs to buckets in these regions only; in others the
 * deployment fails (CloudFront Developer Guide, "Choose an Amazon S3 bucket for standard logs").
 */
// biome-ignore format: a table
const supportedRegions: readonly string[] = [
  'us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1',
  'eu-central-1', 'eu-north-1', 'eu-west-1', 'eu-west-2', 'eu-west-3',
  'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2',
];

/** Why the distribution has no access logs; undefined if it has. A region that is a token counts as supported. */
export function accessLogsDisabledReason(scope: Construct, { accessLogs }: EdgeSettings): string | undefined {
  if (!accessLogs) return 'The stage disables them: query strings contain signatures.';
  const { region } = Stack.of(scope);
  if (Token.isUnresolved(region) || supportedRegions.includes(region)) return undefined;
  return 'CloudFront cannot write logs to this region; the API logs its requests.';
}

/** Access logs of the distribution. CloudFront writes them with ACLs, which the bucket must allow. */
export class AccessLogs extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { logRetentionDays }: Settings) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      // CloudFormation deletes only an empty bucket.
      autoDeleteObjects: true,
      lifecycleRules: [{ id: 'logs', expiration: Duration.days(logRetentionDays) }],
    });
    const logGroup = new LogGroup(this, 'Logs', { retention: logRetentionDays, removalPolicy: RemovalPolicy.DESTROY });
    keepLogsOfAutoDelete(this, logGroup);
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It contains access logs: logging their deliveries would loop.',
    });
  }
}
