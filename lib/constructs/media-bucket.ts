import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export type MediaBucketProps = {
  bucketName: string;
  outputRetentionDays: number;
  /** How long deleted files can be brought back; not at all when unset. */
  deletedFileRetentionDays: number | undefined;
  /** Where pages may upload from and play from. */
  pageOrigins: string[];
};

/** Uploads and outputs. Everything in it expires; nothing in it is public, it is reached by signed URLs. */
export class MediaBucket extends Construct {
  constructor(scope: Construct, id: string, props: MediaBucketProps) {
    super(scope, id);
    const bucket = new Bucket(this, 'Bucket', {
      bucketName: props.bucketName,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      versioned: props.deletedFileRetentionDays !== undefined,
      lifecycleRules: [
        { id: 'uploads', prefix: 'uploads/', expiration: Duration.days(7) },
        { id: 'outputs', prefix: 'jobs/', expiration: Duration.days(props.outputRetentionDays) },
        // Longer than three attempts of a day each, and their waits in the queue: one goes on with what the other left.
        // Nobody wants an earlier version of it.
        {
          id: 'work',
          prefix: 'work/',
          expiration: Duration.days(7),
          noncurrentVersionExpiration: Duration.days(1),
        },
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(7) },
        // Always: versions that were kept under an earlier setting would stay for ever.
        { id: 'deleted', noncurrentVersionExpiration: Duration.days(props.deletedFileRetentionDays ?? 1) },
      ],
      cors: [
        {
          allowedOrigins: props.pageOrigins,
          allowedMethods: [HttpMethods.PUT, HttpMethods.GET, HttpMethods.HEAD],
          allowedHeaders: ['*'],
          // The last call of a multipart upload wants each part's ETag.
          exposedHeaders: ['ETag'],
          maxAge: 3600,
        },
      ],
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Access logs hold query strings, which here are signatures that still open the files.',
    });
  }
}
