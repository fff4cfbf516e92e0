import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { AccountBucket } from '../constructs/account-bucket.ts';
import { MediaBucket } from '../constructs/media-bucket.ts';
import { pascalCase, secretsKeyAlias, statefulResourceNames } from '../names.ts';
import { needsDistribution } from '../settings/edge.ts';
import type { Settings } from '../settings/settings.ts';
import { watchedBuckets } from '../settings/watches.ts';

export type StatefulStackProps = StackProps & { settings: Settings };

/** Table, buckets and key: they outlive every upgrade, so their logical ids never change. */
export class StatefulStack extends Stack {
  constructor(scope: Construct, id: string, { settings, ...props }: StatefulStackProps) {
    super(scope, id, { description: `Media jobs, stage ${settings.stage}: records and files`, ...props });
    const names = statefulResourceNames({ stage: settings.stage, account: this.account, region: this.region });
    new JobTable(this, 'Jobs', { tableName: names.table });
    new SecretsKey(this, 'Secrets', { alias: secretsKeyAlias(settings.stage) });
    new MediaBucket(this, 'Media', {
      bucketName: names.mediaBucket,
      outputRetentionDays: settings.outputRetentionDays,
      deletedFileRetentionDays: settings.recovery.deletedFileRetentionDays,
      pageOrigins: pageOrigins(settings),
      isPlayed: needsDistribution(settings),
    });
    const watched = new Set(watchedBuckets(settings).map(({ bucket }) => bucket));
    for (const bucket of settings.buckets.filter(({ create }) => create)) {
      const sendsEvents = watched.has(bucket.bucket);
      new AccountBucket(this, `Bucket${pascalCase(bucket.name)}`, { ...bucket, sendsEvents });
    }
  }
}

/**
 * Origins whose pages may upload to the media bucket. Without a custom domain the dashboard's host
 * name is known only after the bucket exists, so all of cloudfront.net is allowed. Access still needs a signature.
 */
function pageOrigins({ dashboardOrigin, domain, identityProvider }: Settings): string[] {
  if (dashboardOrigin === undefined) return ['*'];
  const hasDashboard = identityProvider?.dashboardClient !== undefined;
  if (!hasDashboard || domain !== undefined) return [dashboardOrigin];
  return [dashboardOrigin, 'https://*.cloudfront.net'];
}

/** A first deployment that fails leaves no key, which costs by the month, and no alias, on which the next one would fail. */
const removalPolicy = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** Encrypts the secrets of storage providers. Without it they are lost, so it outlives the stack. */
class SecretsKey extends Construct {
  constructor(scope: Construct, id: string, { alias }: { alias: string }) {
    super(scope, id);
    const key = new Key(this, 'Key', { enableKeyRotation: true, removalPolicy });
    new Alias(this, 'Alias', { aliasName: alias, targetKey: key, removalPolicy });
  }
}

/** The single table: jobs, deliveries, idempotency, settings and keys, under `pk` and `sk`. */
class JobTable extends Construct {
  constructor(scope: Construct, id: string, { tableName }: { tableName: string }) {
    super(scope, id);
    const table = new Table(this, 'Table', {
      tableName,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expiresAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const addIndex = (indexName: string, partition: string, sort: string) =>
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: partition, type: AttributeType.STRING },
        sortKey: { name: sort, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      });
    // Lists an owner's jobs in one state. sk starts with the time, so descending order is newest first.
    addIndex('byState', 'stateKey', 'sk');
    // Finds an owner's jobs by the beginning of their source's file name.
    addIndex('byName', 'pk', 'nameSort');
    // Sparse: queued jobs of all owners, by owner. Workers read it to choose whose job is next.
    addIndex('waiting', 'waitingPartition', 'waitingSort');
    // Sparse: only jobs with `dueAt`, which reconcile must check.
    addIndex('due', 'duePartition', 'dueAt');
  }
}
