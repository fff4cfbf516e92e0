import { existsSync } from 'node:fs';
import path from 'node:path';
import { type CfnResource, DefaultStackSynthesizer, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { DashboardConfig } from '../../core/access/dashboard-config.ts';
import { acknowledgeWildcard } from '../acknowledge-findings.ts';
import type { IdentityProvider } from '../settings/identity.ts';
import { SettingsError } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { logGroup } from './function-identity.ts';

type DashboardProvider = IdentityProvider & { dashboardClient: NonNullable<IdentityProvider['dashboardClient']> };

export type DashboardSiteProps = {
  /** Contains the built dashboard. */
  directory: string;
  provider: DashboardProvider;
  stage: string;
  logRetentionDays: Settings['logRetentionDays'];
};

/** The built dashboard in a bucket under `app/`, with the configuration of this stage. */
export class DashboardSite extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: DashboardSiteProps) {
    super(scope, id);
    const { directory } = props;
    if (!existsSync(path.join(directory, 'index.html'))) {
      throw new SettingsError(
        `The dashboard is not built: run "npm run build" first (there is no index.html in ${directory}).`,
      );
    }
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      // CloudFormation deletes only an empty bucket.
      autoDeleteObjects: true,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only the distribution reads it, and the distribution logs every request.',
    });
    this.deploy(props);
  }

  private deploy({ directory, provider, stage, logRetentionDays }: DashboardSiteProps): void {
    const logs = logGroup(this, 'Logs', { logRetentionDays });
    keepLogsOfAutoDelete(this, logs);
    // Keeps files of earlier builds for open pages.
    const shared = { destinationBucket: this.bucket, prune: false, logGroup: logs };
    const assets = new BucketDeployment(this, 'Assets', {
      ...shared,
      destinationKeyPrefix: 'app/assets',
      sources: [Source.asset(path.join(directory, 'assets'))],
      // File names contain a content hash.
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const pages = new BucketDeployment(this, 'Pages', {
      ...shared,
      destinationKeyPrefix: 'app',
      sources: [
        Source.asset(directory, { exclude: ['assets', '.vite'] }),
        Source.jsonData('config.json', { stage, ...dashboardConfig(provider) }),
      ],
      cacheControl: [CacheControl.noCache()],
    });
    // A page must not reference a missing asset.
    pages.node.addDependency(assets);
    acknowledgeDeploymentHandler(assets, this.bucket);
  }
}

/** Acknowledges the findings on CDK's function that copies assets into buckets. */
function acknowledgeDeploymentHandler({ handlerRole }: BucketDeployment, bucket: Bucket): void {
  const handler = handlerRole.node.scope ?? handlerRole;
  const acknowledge = (id: string, reason: string) => Validations.of(handler).acknowledge({ id, reason });
  acknowledge('AwsSolutions-L1', 'CDK chooses the runtime of its own function and updates it with its releases.');
  acknowledge(
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    'CDK gives its own function the AWS managed policy for logs.',
  );
  for (const action of ['s3:GetObject*', 's3:GetBucket*', 's3:List*', 's3:DeleteObject*', 's3:Abort*']) {
    acknowledge(`AwsSolutions-IAM5[Action::${action}]`, 'CDK grants these on the buckets between which it copies.');
  }
  const { account, region, partition } = Stack.of(bucket);
  const assets = `arn:${partition}:s3:::cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-assets-${account}-${region}/*`;
  for (const objects of [assets, bucket.arnForObjects('*')]) {
    acknowledgeWildcard(handler, objects, 'It copies all files of the build, whose names contain a content hash.');
  }
}

function dashboardConfig({ issuer, dashboardClient }: DashboardProvider): DashboardConfig {
  const { id: clientId, origins: _, ...client } = dashboardClient;
  return { issuer, clientId, ...client };
}

/** The function that empties the bucket has no option for its logs, and Lambda's own log group never expires. */
export function keepLogsOfAutoDelete(scope: Construct, logGroup: LogGroup): void {
  const provider = Stack.of(scope).node.findChild('Custom::S3AutoDeleteObjectsCustomResourceProvider');
  const handler = provider.node.findChild('Handler') as CfnResource;
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroup.logGroupName });
}
