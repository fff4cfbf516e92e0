import path from 'node:path';
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
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { contentSecurityPolicy } from '../../core/access/content-security-policy.ts';
import { root } from '../build/paths.ts';
import { namePrefix } from '../names.ts';
import { DashboardSite, type DashboardSiteProps } from './dashboard-site.ts';

export type DashboardPagesProps = DashboardSiteProps & { mediaBucketName: string };

/** CloudFront behaviors of the dashboard: path rewrites, cache, compression and security headers. */
export class DashboardPages extends Construct {
  /** For paths under /app. */
  readonly behavior: BehaviorOptions;
  /** For all other paths outside the API: `/` redirects to the dashboard. */
  readonly defaultBehavior: Pick<BehaviorOptions, 'functionAssociations' | 'viewerProtocolPolicy'>;

  constructor(scope: Construct, id: string, props: DashboardPagesProps) {
    super(scope, id);
    const { bucket } = new DashboardSite(this, 'Site', props);
    // CloudFront names are global: the region separates the same stage in two regions.
    const name = `${namePrefix(props.stage)}-${Stack.of(this).region}`;
    const rewrite = new EdgeFunction(this, 'Rewrite', {
      functionName: name,
      comment: 'Redirects / to the dashboard, and serves index.html for all of its pages',
      code: FunctionCode.fromFile({ filePath: path.join(root, 'lib/edge/pages.js') }),
      runtime: FunctionRuntime.JS_2_0,
    });
    this.defaultBehavior = {
      functionAssociations: [{ function: rewrite, eventType: FunctionEventType.VIEWER_REQUEST }],
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    };
    this.behavior = {
      ...this.defaultBehavior,
      origin: S3BucketOrigin.withOriginAccessControl(bucket, {
        originId: 'Dashboard',
        originAccessControl: new S3OriginAccessControl(this, 'Access', { originAccessControlName: name }),
      }),
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      compress: true,
      responseHeadersPolicy: securityHeaders(this, name, props),
    };
  }
}

/** Unlike `URL`, it also reads an issuer whose region or path is known at deployment. */
function originOf(issuer: string): string {
  return issuer.split('/').slice(0, 3).join('/');
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
          identity: [originOf(issuer), ...dashboardClient.origins],
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
