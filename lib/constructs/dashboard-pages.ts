import { Duration, Stack } from 'aws-cdk-lib';
import {
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { contentSecurityPolicy } from '../../core/access/content-security-policy.ts';
import { dashboardFunctionCode } from '../dashboard-function.ts';
import { DashboardSite, type DashboardSiteProps } from './dashboard-site.ts';

export type DashboardPagesProps = DashboardSiteProps & {
  stage: string;
  mediaBucketName: string;
};

/** How CloudFront serves the dashboard: rewriting of paths, cache, compression and security headers. */
export class DashboardPages extends Construct {
  /** Of what is under /app. */
  readonly behavior: BehaviorOptions;
  /** Of every path that is neither the dashboard's nor the API's: the bare one leads to the dashboard. */
  readonly defaultBehavior: Pick<BehaviorOptions, 'functionAssociations' | 'viewerProtocolPolicy'>;

  constructor(scope: Construct, id: string, props: DashboardPagesProps) {
    super(scope, id);
    const { bucket } = new DashboardSite(this, 'Site', props);
    const name = globalName(this, props.stage);
    const rewrite = new EdgeFunction(this, 'Rewrite', {
      functionName: name,
      comment: 'Leads to the dashboard, and serves every page of it by its one document',
      code: FunctionCode.fromInline(dashboardFunctionCode()),
      runtime: FunctionRuntime.JS_2_0,
    });
    this.defaultBehavior = {
      functionAssociations: [{ function: rewrite, eventType: FunctionEventType.VIEWER_REQUEST }],
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    };
    this.behavior = {
      ...this.defaultBehavior,
      origin: S3BucketOrigin.withOriginAccessControl(bucket),
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      compress: true,
      responseHeadersPolicy: securityHeaders(this, name, props),
    };
  }
}

/** CloudFront knows no regions: the same stage in two of them would claim the same name. */
function globalName(scope: Construct, stage: string): string {
  return `${stage}-${Stack.of(scope).region}-media-jobs`;
}

function securityHeaders(
  scope: Construct,
  responseHeadersPolicyName: string,
  { provider, mediaBucketName }: DashboardPagesProps,
) {
  const { issuer, dashboardClient } = provider;
  return new ResponseHeadersPolicy(scope, 'Headers', {
    responseHeadersPolicyName,
    securityHeadersBehavior: {
      contentSecurityPolicy: {
        contentSecurityPolicy: contentSecurityPolicy({
          identity: [new URL(issuer).origin, ...dashboardClient.origins],
          media: `https://${mediaBucketName}.s3.${Stack.of(scope).region}.amazonaws.com`,
          inputSchemes: ['https:'],
        }),
        override: true,
      },
      contentTypeOptions: { override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override: true },
    },
  });
}
