import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

/** The single table: jobs, deliveries, idempotency, settings and keys, under `pk` and `sk`. */
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
    // Lists an owner's jobs in one state. sk starts with the time, so descending order is newest first.
    table.addGlobalSecondaryIndex({
      indexName: 'byState',
      partitionKey: { name: 'stateKey', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Finds an owner's jobs by the beginning of their source's file name.
    table.addGlobalSecondaryIndex({
      indexName: 'byName',
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'nameSort', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Sparse: queued jobs of all owners, by owner. Workers read it to choose whose job is next.
    table.addGlobalSecondaryIndex({
      indexName: 'waiting',
      partitionKey: { name: 'waitingPartition', type: AttributeType.STRING },
      sortKey: { name: 'waitingSort', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    // Sparse: only jobs with `dueAt`, which reconcile must check.
    table.addGlobalSecondaryIndex({
      indexName: 'due',
      partitionKey: { name: 'duePartition', type: AttributeType.STRING },
      sortKey: { name: 'dueAt', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }
}
