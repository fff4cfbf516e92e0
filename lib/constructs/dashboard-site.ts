import { existsSync } from 'node:fs';
import path from 'node:path';
import { DefaultStackSynthesizer, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { DashboardConfig } from '../../core/access/dashboard-config.ts';
import { acknowledgeWildcard } from '../acknowledge-findings.ts';
import type { IdentityProvider } from '../settings/identity.ts';
import { SettingsError } from '../settings/read-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** A provider that knows the dashboard. */
type DashboardProvider = IdentityProvider & {
  dashboardClient: NonNullable<IdentityProvider['dashboardClient']>;
};

export type DashboardSiteProps = {
  /** Where the build put the dashboard. */
  directory: string;
  provider: DashboardProvider;
  logRetentionDays: Settings['logRetentionDays'];
};

/** The built dashboard in a bucket, under `app/`, with what it must know of this stage beside it. */
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
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'The distribution in front of it is the only reader, and logs every request.',
    });
    this.deploy(props);
  }

  private deploy({ directory, provider, logRetentionDays }: DashboardSiteProps): void {
    const logGroup = new LogGroup(this, 'Logs', {
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // On deletion alone; while it is there, files of builds before stay for pages that are open.
    const shared = { destinationBucket: this.bucket, prune: false, retainOnDelete: false, logGroup };
    const assets = new BucketDeployment(this, 'Assets', {
      ...shared,
      destinationKeyPrefix: 'app/assets',
      sources: [Source.asset(path.join(directory, 'assets'))],
      // Their names hold a hash of their content.
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const pages = new BucketDeployment(this, 'Pages', {
      ...shared,
      destinationKeyPrefix: 'app',
      sources: [
        Source.asset(directory, { exclude: ['assets', '.vite'] }),
        Source.jsonData('config.json', dashboardConfig(provider)),
      ],
      cacheControl: [CacheControl.noCache()],
    });
    // A page must not name an asset that is not there yet.
    pages.node.addDependency(assets);
    acknowledgeCopier(assets, this.bucket);
  }
}

/** The function with which CDK copies assets into buckets: its code and its role are CDK's own. */
function acknowledgeCopier({ handlerRole }: BucketDeployment, bucket: Bucket): void {
  const copier = handlerRole.node.scope ?? handlerRole;
  const acknowledge = (id: string, reason: string) => Validations.of(copier).acknowledge({ id, reason });
  acknowledge(
    'AwsSolutions-L1',
    'CDK chooses the runtime of its own function, and moves it with its releases.',
  );
  acknowledge(
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
    'CDK gives its own function the policy that AWS keeps for writing logs.',
  );
  for (const action of ['s3:GetObject*', 's3:GetBucket*', 's3:List*', 's3:DeleteObject*', 's3:Abort*']) {
    acknowledge(
      `AwsSolutions-IAM5[Action::${action}]`,
      "CDK's own grants, on the buckets that it copies between.",
    );
  }
  const { account, region, partition } = Stack.of(bucket);
  const assets = `arn:${partition}:s3:::cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-assets-${account}-${region}/*`;
  for (const objects of [assets, bucket.arnForObjects('*')]) {
    acknowledgeWildcard(
      copier,
      objects,
      'It copies whatever the build made, by names that hold their content.',
    );
  }
}

function dashboardConfig({ issuer, dashboardClient }: DashboardProvider): DashboardConfig {
  const { id: clientId, scope, resource } = dashboardClient;
  return { issuer, clientId, scope, ...(resource === undefined ? {} : { resource }) };
}
