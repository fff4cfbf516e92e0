import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  type DistributionProps,
  HttpVersion,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { apiSecurityHeaders } from '../../core/access/content-security-policy.ts';
import { namePrefix } from '../names.ts';
import { type EdgeSettings, hasFirewall } from '../settings/edge.ts';
import type { Settings } from '../settings/settings.ts';
import { DashboardPages, type DashboardPagesProps } from './dashboard-pages.ts';
import { keepLogsOfAutoDelete } from './dashboard-site.ts';
import { logGroup } from './function-identity.ts';
import { PlaybackEdge } from './playback-edge.ts';

export type EdgeDistributionProps = {
  settings: Settings;
  api: IHttpApi;
  /** Headers that prove to the API that a request came through this distribution, if that is required. */
  originHeaders: Record<string, string>;
  /** The dashboard to serve at /app; undefined if the stage has none. */
  dashboard: DashboardPagesProps | undefined;
  certificate: ICertificate | undefined;
  webAclArn: string | undefined;
  mediaBucketName: string;
};

/** The CloudFront distribution: one origin for the API, which is never cached, and the dashboard at /app. */
export class EdgeDistribution extends Construct {
  readonly distribution: Distribution;
  /** Base URL, without a trailing slash. */
  readonly url: string;
  /** The keys of playback tokens, and the revocations. */
  readonly storeArn: string;

  constructor(scope: Construct, id: string, props: EdgeDistributionProps) {
    super(scope, id);
    const { settings, api, dashboard } = props;
    const apiCalls = { ...apiBehavior(api, props.originHeaders), responseHeadersPolicy: apiHeaders(this, settings) };
    const pages = dashboard && new DashboardPages(this, 'Dashboard', dashboard);
    const playback = new PlaybackEdge(this, 'Playback', props);
    this.storeArn = playback.storeArn;
    this.distribution = new Distribution(this, 'Distribution', {
      comment: namePrefix(settings.stage),
      // The API, not the pages: an unknown path gets the API's 404.
      defaultBehavior: { ...apiCalls, ...pages?.defaultBehavior },
      additionalBehaviors: {
        ...playback.behaviors,
        '/api/*': apiCalls,
        // As long as its header says.
        '/embed': { ...apiCalls, cachePolicy: CachePolicy.CACHING_OPTIMIZED, compress: true },
        ...(pages && { '/app': pages.behavior, '/app/*': pages.behavior }),
      },
      errorResponses: uncachedErrors,
      httpVersion: HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      ...(accessLogsDisabledReason(this, settings.edge) === undefined && {
        enableLogging: true,
        logBucket: new AccessLogs(this, 'AccessLogs', settings).bucket,
      }),
      ...customDomain(settings, props.certificate),
      webAclId: props.webAclArn,
    });
    acknowledgeFindings(this.distribution, settings);
    this.url = `https://${settings.domain?.name ?? this.distribution.distributionDomainName}`;
    new CfnOutput(this, 'Url', { value: this.url, description: 'The API, and the dashboard at /app' });
  }
}

/**
 * CloudFront caches errors for ten seconds whatever the cache policy and headers, and for all callers: the 404 of a
 * caller without access would hide a job from its owner. These are the codes whose TTL can be set.
 */
const uncachedErrors = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));

function apiBehavior(api: IHttpApi, customHeaders: Record<string, string>) {
  return {
    // The host of https://<id>.execute-api.<region>.<suffix>.
    origin: new HttpOrigin(Fn.select(2, Fn.split('/', api.apiEndpoint)), {
      originId: 'Api',
      // Longer than the API's own time-out.
      readTimeout: Duration.seconds(35),
      customHeaders,
    }),
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    // API Gateway rejects requests with another Host header.
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  };
}

/** The functions set these headers themselves. Errors of API Gateway and of the firewall get them here. */
function apiHeaders(scope: Construct, { stage }: Settings): ResponseHeadersPolicy {
  return new ResponseHeadersPolicy(scope, 'ApiHeaders', {
    // Global in an account: the region separates the same stage in two regions.
    responseHeadersPolicyName: `${namePrefix(stage)}-${Stack.of(scope).region}-api`,
    securityHeadersBehavior: {
      contentSecurityPolicy: { contentSecurityPolicy: apiSecurityHeaders['content-security-policy'], override: false },
      contentTypeOptions: { override: true },
    },
  });
}

function customDomain({ domain }: Settings, certificate: ICertificate | undefined): Partial<DistributionProps> {
  return domain === undefined || certificate === undefined ? {} : { domainNames: [domain.name], certificate };
}

function acknowledgeFindings(distribution: Distribution, { domain, edge }: Settings): void {
  const acknowledge = (id: string, reason: string) => Validations.of(distribution).acknowledge({ id, reason });
  acknowledge('AwsSolutions-CFR1', 'The service is available in all countries; a stage may restrict them.');
  const noLogsReason = accessLogsDisabledReason(distribution, edge);
  if (noLogsReason !== undefined) acknowledge('AwsSolutions-CFR3', noLogsReason);
  if (!hasFirewall(edge)) {
    acknowledge(
      'AwsSolutions-CFR2',
      'The firewall is optional (edge.requestsPerAddress, edge.requestsPerCredential): it has a fixed monthly cost.',
    );
  }
  if (domain === undefined) {
    acknowledge(
      'AwsSolutions-CFR4',
      'CloudFront fixes the TLS versions of its default certificate; a custom domain requires TLS 1.2.',
    );
  }
}

/**
 * Regions that are enabled by default. CloudFront writes logs to buckets in these regions only; in others the
 * deployment fails (CloudFront Developer Guide, "Choose an Amazon S3 bucket for standard logs").
 */
// biome-ignore format: a table
const supportedRegions: readonly string[] = [
  'us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1',
  'eu-central-1', 'eu-north-1', 'eu-west-1', 'eu-west-2', 'eu-west-3',
  'ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2',
];

/** Why the distribution has no access logs; undefined if it has. A region that is a token counts as supported. */
function accessLogsDisabledReason(scope: Construct, { accessLogs }: EdgeSettings): string | undefined {
  if (!accessLogs) return 'The stage disables them: query strings contain signatures.';
  const { region } = Stack.of(scope);
  if (Token.isUnresolved(region) || supportedRegions.includes(region)) return undefined;
  return 'CloudFront cannot write logs to this region; the API logs its requests.';
}

/** Access logs of the distribution. CloudFront writes them with ACLs, which the bucket must allow. */
class AccessLogs extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { logRetentionDays }: Settings) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
      // CloudFormation deletes only an empty bucket.
      autoDeleteObjects: true,
      lifecycleRules: [{ id: 'logs', expiration: Duration.days(logRetentionDays) }],
    });
    keepLogsOfAutoDelete(this, logGroup(this, 'Logs', { logRetentionDays }));
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It contains access logs: logging their deliveries would loop.',
    });
  }
}
