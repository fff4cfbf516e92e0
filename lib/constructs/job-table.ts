import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

/** The one table: jobs, deliveries, idempotency, settings and keys, all under `pk` and `sk`. */
export class JobTable extends Construct {
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
    // A list of an owner's jobs in one state: sk begins with the time, so newest first is descending.
    table.addGlobalSecondaryIndex({
      indexName: 'byState',
      partitionKey: { name: 'stateKey', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Sparse: only jobs that reconcile has to look at, by when.
    table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'duePartition', type: AttributeType.STRING },
      sortKey: { name: 'dueAt', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }
}
