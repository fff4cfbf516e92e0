import { runInNewContext } from 'node:vm';
import { Validations } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { type SynthesizedStage, synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf, theOnly } from '../builders/template/template-resources.ts';

const { service, edge } = synthesizedStage({ settings: stages.production });
/** A distribution without a dashboard. */
const plain = synthesizedStage({
  settings: { account: '123456789012', region: 'eu-central-1', edge: { requestsPerAddress: 1000 } },
}).service;

const issuer = 'https://login.example.com';
const location = { account: '123456789012', region: 'eu-central-1' };

/** AWS managed policies by their documented ids. */
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const uncached = {
  CachePolicyId: cachingDisabled,
  OriginRequestPolicyId: allViewerExceptHostHeader,
  AllowedMethods: Match.arrayWith(['OPTIONS', 'PUT', 'POST', 'DELETE']),
  ViewerProtocolPolicy: 'https-only',
};

describe('CloudFront', () => {
  it('forwards every API call uncached, with all headers except Host', () => {
    service.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        DefaultCacheBehavior: { ...uncached, ViewerProtocolPolicy: 'redirect-to-https' },
        CacheBehaviors: Match.arrayWith([Match.objectLike({ PathPattern: '/api/*', ...uncached })]),
      },
    });
  });

  it('sends nosniff and a policy with every response, errors of API Gateway and the firewall included', () => {
    const { DistributionConfig } = theOnly(service, 'AWS::CloudFront::Distribution');
    type Behavior = { ResponseHeadersPolicyId: { Ref: string } };
    const { DefaultCacheBehavior, CacheBehaviors } = DistributionConfig as {
      DefaultCacheBehavior: Behavior;
      CacheBehaviors: Behavior[];
    };
    const ids = [DefaultCacheBehavior, ...CacheBehaviors].map((each) => each.ResponseHeadersPolicyId.Ref);
    const policies = service.findResources('AWS::CloudFront::ResponseHeadersPolicy');
    for (const id of ids) {
      expect(policies[id]?.Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig).toMatchObject({
        ContentTypeOptions: { Override: true },
        ContentSecurityPolicy: { ContentSecurityPolicy: expect.stringContaining("default-src 'none'") },
      });
    }
    const [ofApi] = ids.map((id) => policies[id]?.Properties.ResponseHeadersPolicyConfig);
    expect(ofApi.SecurityHeadersConfig.ContentSecurityPolicy).toEqual({
      ContentSecurityPolicy: "sandbox; default-src 'none'",
      Override: false,
    });
    expect(ids.length).toBeGreaterThan(2);
  });

  it('neither caches errors nor replaces them by a page', () => {
    const { DistributionConfig } = theOnly(service, 'AWS::CloudFront::Distribution');
    const { CustomErrorResponses } = DistributionConfig as { CustomErrorResponses: { ErrorCode: number }[] };
    for (const response of CustomErrorResponses) {
      expect(response).toEqual({ ErrorCode: response.ErrorCode, ErrorCachingMinTTL: 0 });
    }
    const codes = CustomErrorResponses.map(({ ErrorCode }) => ErrorCode);
    const keptByDefault = [404, 414, 500, 501, 502, 503, 504];
    expect(codes).toEqual(expect.arrayContaining(keptByDefault));
  });

  it.each(['/app', '/app/*'])('serves %s from the dashboard bucket, compressed', (PathPattern) => {
    service.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        CacheBehaviors: Match.arrayWith([
          Match.objectLike({
            PathPattern,
            Compress: true,
            FunctionAssociations: [Match.objectLike({ EventType: 'viewer-request' })],
            ResponseHeadersPolicyId: Match.anyValue(),
          }),
        ]),
      },
    });
  });

  it('runs no function for API calls', () => {
    const { DistributionConfig } = theOnly(service, 'AWS::CloudFront::Distribution');
    const { CacheBehaviors, DefaultCacheBehavior } = DistributionConfig as {
      DefaultCacheBehavior: object;
      CacheBehaviors: { PathPattern: string }[];
    };
    expect(DefaultCacheBehavior).toHaveProperty('FunctionAssociations');
    const bare = CacheBehaviors.filter((behavior) => !('FunctionAssociations' in behavior));
    expect(bare.map(({ PathPattern }) => PathPattern)).toEqual(['/api/*', '/embed']);
  });

  it.each([
    ['/app/jobs/0199c39e', '/app/index.html'],
    ['/app/assets/main-Bx1.js', '/app/assets/main-Bx1.js'],
    ['/unknown', '/unknown'],
  ])('rewrites %s to %s', (uri, file) => {
    for (const { FunctionConfig } of resourcesOf(service, 'AWS::CloudFront::Function')) {
      expect(FunctionConfig).toMatchObject({ Runtime: 'cloudfront-js-2.0' });
    }
    expect(atTheEdge({ method: 'GET', uri })).toEqual({ method: 'GET', uri: file });
  });

  it('redirects / to the dashboard', () => {
    const found = { statusCode: 302, headers: { location: { value: '/app' } } };
    expect(atTheEdge({ method: 'GET', uri: '/' })).toMatchObject(found);
    expect(atTheEdge({ method: 'HEAD', uri: '/' })).toMatchObject(found);
    expect(atTheEdge({ method: 'POST', uri: '/' })).toEqual({ method: 'POST', uri: '/' });
  });

  it('forwards everything to the API if there is no dashboard', () => {
    const { DistributionConfig } = theOnly(plain, 'AWS::CloudFront::Distribution');
    const { DefaultCacheBehavior } = DistributionConfig as { DefaultCacheBehavior: object };
    expect(DefaultCacheBehavior).not.toHaveProperty('FunctionAssociations');
    expect(DefaultCacheBehavior).toHaveProperty('ViewerProtocolPolicy', 'https-only');
  });

  it('logs every request, and has the configured host name and TLS version', () => {
    service.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Logging: { Bucket: Match.anyValue() },
        Aliases: ['media.example.com'],
        ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
      },
    });
    for (const Type of ['A', 'AAAA']) {
      service.hasResourceProperties('AWS::Route53::RecordSet', { Type, Name: 'media.example.com.' });
    }
  });

  it.each([
    [
      'in a region whose buckets CloudFront cannot write into',
      { region: 'eu-south-1', edge: { requestsPerAddress: 1000 } },
    ],
    [
      'where the stage does not want it',
      { region: 'eu-central-1', edge: { requestsPerAddress: 1000, accessLogs: false } },
    ],
  ])('has no logs %s, and can be deployed there', (_, settings) => {
    const unlogged = synthesizedStage({
      settings: { account: '123456789012', ...settings },
      prepare: (app) => Validations.of(app).addPlugins(new AwsSolutionsChecks(app)),
    }).service;
    const { DistributionConfig } = theOnly(unlogged, 'AWS::CloudFront::Distribution');
    expect(DistributionConfig).not.toHaveProperty('Logging');
    unlogged.resourceCountIs('AWS::S3::Bucket', 0);
  });

  it('leaves no logs when the stack is destroyed', () => {
    service.hasResource('AWS::S3::Bucket', {
      Properties: { OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] } },
      DeletionPolicy: 'Delete',
    });
  });

  it('logs no cookies', () => {
    const { DistributionConfig } = theOnly(service, 'AWS::CloudFront::Distribution');
    const { Logging } = DistributionConfig as { Logging: object };
    expect(Logging).not.toHaveProperty('IncludeCookies', true);
  });

  it('references certificate and firewall weakly from the stack in us-east-1', () => {
    const read = { 'Fn::GetStackOutput': Match.objectLike({ Region: 'us-east-1' }) };
    service.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { WebACLId: read, ViewerCertificate: { AcmCertificateArn: read } },
    });
  });

  it.each([
    ['nothing asks for it', {}, 0],
    ['an identity provider without a dashboard', { identityProvider: { issuer, audience: 'api' } }, 0],
    ['a dashboard', { identityProvider: { issuer, audience: 'api', dashboardClient: { id: 'dashboard' } } }, 1],
    ['a domain alone', { domain: { name: 'media.example.com' } }, 0],
    ['a firewall', { ...location, edge: { requestsPerAddress: 1000 } }, 1],
  ])('exists only if the stage needs it: %s', (_, settings, count) => {
    const template = synthesizedStage({ settings }).service;
    template.resourceCountIs('AWS::CloudFront::Distribution', count);
    const types = Object.values(template.toJSON().Resources as Record<string, { Type: string }>);
    expect(types.some(({ Type }) => Type.startsWith('AWS::CloudFront::'))).toBe(count > 0);
  });
});

describe('the dashboard', () => {
  it('is stored in a bucket that only this distribution reads', () => {
    service.hasResourceProperties('AWS::CloudFront::OriginAccessControl', {
      OriginAccessControlConfig: {
        OriginAccessControlOriginType: 's3',
        SigningBehavior: 'always',
        SigningProtocol: 'sigv4',
      },
    });
    const policies = JSON.stringify(resourcesOf(service, 'AWS::S3::BucketPolicy'));
    expect(policies).toContain('cloudfront.amazonaws.com');
    expect(policies).toContain('AWS:SourceArn');
  });

  it('does not keep the stack from being deleted: its bucket is emptied first', () => {
    const emptied = resourcesOf(service, 'Custom::S3AutoDeleteObjects');
    const buckets = emptied.map(({ BucketName }) => (BucketName as { Ref: string }).Ref);
    const bucket = buckets.find((id) => id.includes('Site'));
    const found = service.toJSON().Resources[bucket ?? ''];
    expect(found).toMatchObject({ Type: 'AWS::S3::Bucket', DeletionPolicy: 'Delete' });
    for (const { DestinationBucketName, RetainOnDelete } of resourcesOf(service, 'Custom::CDKBucketDeployment')) {
      expect(DestinationBucketName).toEqual({ Ref: bucket });
      // The function that copies the files deletes none, since it fails while another copy has its tag on the bucket.
      expect(RetainOnDelete).not.toBe(false);
    }
  });

  it('may load scripts from its own origin only, and media from the bucket', () => {
    const policies = resourcesOf(service, 'AWS::CloudFront::ResponseHeadersPolicy').map(
      ({ ResponseHeadersPolicyConfig }) =>
        ResponseHeadersPolicyConfig as {
          SecurityHeadersConfig: { ContentSecurityPolicy?: { ContentSecurityPolicy: string } };
        },
    );
    const [headers, ...others] = policies
      .map(({ SecurityHeadersConfig }) => SecurityHeadersConfig)
      .filter(({ ContentSecurityPolicy: policy }) => policy?.ContentSecurityPolicy.includes('script-src'));
    expect(others).toEqual([]);
    const media = 'https://media-jobs-test-123456789012-eu-central-1-media.s3.eu-central-1.amazonaws.com';
    const directives = headers?.ContentSecurityPolicy?.ContentSecurityPolicy.split('; ') ?? [];
    expect(directives).toContain("script-src 'self'");
    expect(directives).toContain("style-src 'self' 'unsafe-inline'");
    for (const name of ['connect-src', 'img-src', 'media-src']) {
      expect(directives.find((directive) => directive.startsWith(name))).toContain(media);
    }
    expect(headers).toMatchObject({
      ContentTypeOptions: { Override: true },
      ReferrerPolicy: { ReferrerPolicy: 'no-referrer' },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000 },
    });
  });

  it('caches content-hashed files for a year, and revalidates all others', () => {
    const cacheControl = resourcesOf(service, 'Custom::CDKBucketDeployment').map(
      ({ DestinationBucketKeyPrefix: prefix, SystemMetadata }) => [prefix, SystemMetadata],
    );
    expect(Object.fromEntries(cacheControl)).toEqual({
      'app/assets': { 'cache-control': 'public, max-age=31536000, immutable' },
      app: { 'cache-control': 'no-cache' },
    });
  });

  it('exists only if the identity provider has a dashboard client', () => {
    plain.resourceCountIs('AWS::CloudFront::Distribution', 1);
    plain.resourceCountIs('Custom::CDKBucketDeployment', 0);
  });
});

describe('the same stage in another region', () => {
  const elsewhere = { ...stages.production, region: 'us-west-2' };
  const other = synthesizedStage({ settings: elsewhere });

  it('has different names for resources that are global in an account', () => {
    const here = globalNames({ service, edge });
    expect(here).toHaveLength(8);
    expect(globalNames(other).filter((name) => here.includes(name))).toEqual([]);
  });

  it('has a separate stack in us-east-1', () => {
    const read = { 'Fn::GetStackOutput': Match.objectLike({ StackName: 'media-jobs-test-edge-us-west-2' }) };
    other.service.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { WebACLId: read, ViewerCertificate: { AcmCertificateArn: read } },
    });
  });
});

/** Runs the CloudFront function of the template on a request. */
function atTheEdge(request: { method: string; uri: string }): unknown {
  const code = resourcesOf(service, 'AWS::CloudFront::Function').map(({ FunctionCode }) => String(FunctionCode));
  const ofDashboard = code.find((each) => each.includes('pageFile'));
  return runInNewContext(`${ofDashboard}; handler(event)`, { event: { request } });
}

function globalNames({ service, edge }: Pick<SynthesizedStage, 'service' | 'edge'>): unknown[] {
  const policies = resourcesOf(service, 'AWS::CloudFront::ResponseHeadersPolicy');
  return [
    ...resourcesOf(service, 'AWS::CloudFront::Function').map(({ Name }) => Name),
    theOnly(service, 'AWS::CloudFront::KeyValueStore').Name,
    theOnly(service, 'AWS::CloudWatch::Dashboard').DashboardName,
    ...policies.map((policy) => (policy.ResponseHeadersPolicyConfig as { Name: string }).Name),
    ...(edge ? [theOnly(edge, 'AWS::WAFv2::WebACL').Name] : []),
  ];
}
