import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CorsRule,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { uploadDays } from '../../core/uploads/upload.ts';
import { acknowledgeFinding } from '../acknowledge-findings.ts';
import { letEdgeRead } from './playback-edge.ts';

export type MediaBucketProps = {
  bucketName: string;
  outputRetentionDays: number;
  /** Days that deleted files can be restored; undefined: not at all. */
  deletedFileRetentionDays: number | undefined;
  /** Origins whose pages may upload files. A page of any origin may read a file whose signed URL it has. */
  pageOrigins: string[];
  /** Whether the edge reads the outputs. */
  isPlayed: boolean;
};

/** Uploads and outputs. All objects expire, or reconcile removes them. None is public: clients use presigned URLs. */
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
      // No two rules with the same action overlap: S3 rejects that ("Found overlapping prefixes for same action type",
      // noobaa-core#8426) in the older form of a configuration, in which a prefix is outside a filter. A template has that form.
      // Each prefix has `noncurrentVersionExpiration`: without it, versions from an earlier setting would never expire.
      lifecycleRules: [
        // An uploader can repeat its PUT: what it has replaced would cost as much as the file, again and again.
        {
          id: 'uploads',
          prefix: 'uploads/',
          expiration: Duration.days(uploadDays),
          noncurrentVersionExpiration: Duration.days(1),
        },
        {
          id: 'outputs',
          prefix: 'jobs/',
          expiration: Duration.days(props.outputRetentionDays),
          noncurrentVersionExpiration: Duration.days(props.deletedFileRetentionDays ?? 1),
        },
        // Reconcile removes these files, at the time that the request of each job states.
        {
          id: 'kept',
          prefix: 'kept/',
          expiredObjectDeleteMarker: true,
          noncurrentVersionExpiration: Duration.days(props.deletedFileRetentionDays ?? 1),
        },
        // Longer than three attempts, each with three days in the queue and, as a Fargate task, a day until it starts and three
        // until it ends. They read the chunks and outputs of earlier ones. Workers and reconcile remove what ended jobs leave.
        // Old versions are not needed.
        { id: 'work', prefix: 'work/', expiration: Duration.days(30), noncurrentVersionExpiration: Duration.days(1) },
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(7) },
      ],
      cors: [
        {
          allowedOrigins: props.pageOrigins,
          allowedMethods: [HttpMethods.PUT],
          allowedHeaders: ['*'],
          // CompleteMultipartUpload needs the ETag of each part.
          exposedHeaders: ['ETag'],
          maxAge: 3600,
        },
        readByPages,
      ],
    });
    if (props.isPlayed) letEdgeRead(bucket, ['jobs/*', 'kept/*']);
    withoutAccessLogs(bucket);
  }
}

/** After a redirect of the API the browser sends `Origin: null` (Fetch standard). The signature gives access. */
export const readByPages: CorsRule = {
  allowedOrigins: ['*'],
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedHeaders: ['*'],
  exposedHeaders: ['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'],
  maxAge: 3600,
};

export function withoutAccessLogs(bucket: Bucket): void {
  acknowledgeFinding(bucket, 'AwsSolutions-S1', 'Access logs contain query strings, which here are valid signatures.');
}
