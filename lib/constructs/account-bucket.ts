import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { readByPages, withoutAccessLogs } from './media-bucket.ts';
import { letEdgeRead } from './playback-edge.ts';

export type AccountBucketProps = {
  bucket: string;
  kmsKeyArn?: string | undefined;
  playback?: boolean | undefined;
  sendsEvents: boolean;
};

/** A bucket of the setting `buckets` with `create`. Its objects do not expire, and it outlives the stage. */
export class AccountBucket extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { bucket: bucketName, kmsKeyArn, playback, sendsEvents }: AccountBucketProps,
  ) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      bucketName,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      ...(kmsKeyArn === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryptionKey: Key.fromKeyArn(this, 'Key', kmsKeyArn), bucketKeyEnabled: true }),
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [{ id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(7) }],
      cors: [readByPages],
    });
    // The property of the resource, since that of the construct adds a function.
    if (sendsEvents) {
      const eventBridgeConfiguration = { eventBridgeEnabled: true };
      (bucket.node.defaultChild as CfnBucket).notificationConfiguration = { eventBridgeConfiguration };
    }
    if (playback) letEdgeRead(bucket, ['*']);
    withoutAccessLogs(bucket);
  }
}
