import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledgeFinding } from '../acknowledge-findings.ts';
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
      // After a redirect of the API the browser sends `Origin: null` (Fetch standard). The signature gives access.
      cors: [
        {
          allowedOrigins: ['*'],
          allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
          allowedHeaders: ['*'],
          exposedHeaders: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'],
          maxAge: 3600,
        },
      ],
    });
    // The property of the resource, since that of the construct adds a function.
    if (sendsEvents) {
      const eventBridgeConfiguration = { eventBridgeEnabled: true };
      (bucket.node.defaultChild as CfnBucket).notificationConfiguration = { eventBridgeConfiguration };
    }
    if (playback) letEdgeRead(bucket, ['*']);
    acknowledgeFinding(
      bucket,
      'AwsSolutions-S1',
      'Access logs contain query strings, which here are valid signatures.',
    );
  }
}
