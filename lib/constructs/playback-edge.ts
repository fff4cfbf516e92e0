import path from 'node:path';
import { Annotations, Duration, Stack } from 'aws-cdk-lib';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  KeyValueStore,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { apiSecurityHeaders } from '../../core/access/content-security-policy.ts';
import { root } from '../build/paths.ts';
import { namePrefix } from '../names.ts';
import type { Settings } from '../settings/settings.ts';
import { BundledFunction, type StageCode } from './bundled-function.ts';

export type PlaybackEdgeProps = { settings: Settings; mediaBucketName: string };

/**
 * CloudFront behaviors for viewers: `/play/<token>/…`, whose token a CloudFront Function verifies before the cache. Neither the
 * API nor a Lambda function sees a request for a segment.
 */
export class PlaybackEdge extends Construct {
  /** By path pattern, in the order in which they are tried. */
  readonly behaviors: Record<string, BehaviorOptions>;
  /** The keys of tokens and the revocations. */
  readonly storeArn: string;

  constructor(scope: Construct, id: string, { settings, mediaBucketName }: PlaybackEdgeProps) {
    super(scope, id);
    // CloudFront names are global: the region separates the same stage in two regions.
    const name = `${namePrefix(settings.stage)}-${Stack.of(this).region}-play`;
    const store = new KeyValueStore(this, 'Store', {
      keyValueStoreName: name,
      comment: 'Keys of playback tokens, and revocations',
    });
    this.storeArn = store.keyValueStoreArn;
    const verify = new EdgeFunction(this, 'Verify', {
      functionName: name,
      comment: 'Verifies the token of a playback URL',
      code: FunctionCode.fromFile({ filePath: path.join(root, 'lib/edge/play.js') }),
      runtime: FunctionRuntime.JS_2_0,
      keyValueStore: store,
    });
    const originAccessControl = new S3OriginAccessControl(this, 'Access', { originAccessControlName: name });
    const behavior = {
      functionAssociations: [{ function: verify, eventType: FunctionEventType.VIEWER_REQUEST }],
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
      // Its key is the path behind the function: without the token, a query or a header.
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      compress: true,
      responseHeadersPolicy: anyOrigin(this, name),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    };
    const reading = (bucketId: string, bucketName: string): BehaviorOptions => {
      const { region } = Stack.of(this);
      const bucket = Bucket.fromBucketAttributes(this, bucketId, { bucketName, region });
      return {
        ...behavior,
        origin: S3BucketOrigin.withOriginAccessControl(bucket, { originId: bucketId, originAccessControl }),
      };
    };
    const ofAccount = settings.buckets.filter(({ playback }) => playback);
    this.behaviors = {
      ...Object.fromEntries(
        ofAccount.map(({ name: own, bucket }) => [`/play/*/@${own}/*`, reading(`Bucket-${own}`, bucket)]),
      ),
      '/play/*': reading('Media', mediaBucketName),
    };
    // The policies of the buckets allow it already, or their owner adds the statement.
    Annotations.of(scope).acknowledgeWarning('@aws-cdk/aws-cloudfront-origins:updateImportedBucketPolicyOac');
  }
}

/** Any page may play what it has a URL of. */
function anyOrigin(scope: Construct, responseHeadersPolicyName: string): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName,
    corsBehavior: {
      accessControlAllowCredentials: false,
      accessControlAllowHeaders: ['*'],
      accessControlAllowMethods: ['GET', 'HEAD'],
      accessControlAllowOrigins: ['*'],
      accessControlExposeHeaders: ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag'],
      originOverride: true,
    },
    // A browser that opens a file executes nothing of it: the dashboard has the same origin.
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: apiSecurityHeaders['content-security-policy'], override: true },
      contentTypeOptions: { override: true },
    },
  });
}

/**
 * Lets the distributions of this account read objects of a bucket. It cannot name one: the bucket exists before the distribution
 * (CloudFront Developer Guide, "Restrict access to an Amazon S3 origin").
 */
export function letEdgeRead(bucket: IBucket, objects: readonly string[]): void {
  const { partition, account } = Stack.of(bucket);
  bucket.addToResourcePolicy(
    new PolicyStatement({
      effect: Effect.ALLOW,
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      resources: objects.map((pattern) => bucket.arnForObjects(pattern)),
      conditions: { ArnLike: { 'aws:SourceArn': `arn:${partition}:cloudfront::${account}:distribution/*` } },
    }),
  );
}

/** The function that makes and rotates the keys of the store, and removes what has ended. */
export function edgeMaintenance(scope: Construct, { settings, buildDirectory }: StageCode): BundledFunction['lambda'] {
  const { lambda } = new BundledFunction(scope, {
    name: 'maintain-edge',
    buildDirectory,
    settings,
    memoryMb: 512,
    // Lists 50,000 revocations in pages of 50.
    timeoutSeconds: 300,
  });
  lambda.configureAsyncInvoke({ maxEventAge: Duration.minutes(5), retryAttempts: 0 });
  new Rule(scope, 'MaintainEdgeRule', {
    ruleName: `${namePrefix(settings.stage)}-maintain-edge`,
    // Until it has run for the first time, the API delivers.
    schedule: Schedule.rate(Duration.minutes(5)),
    targets: [new LambdaFunction(lambda)],
  });
  return lambda;
}
