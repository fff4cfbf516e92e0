import { account, partition } from '../aws-names.ts';
import type { Found } from './find-resources.ts';
import {
  type Behavior,
  distribution,
  edgeFunction,
  originAccessControl,
  responseHeadersPolicy,
} from './resources/cloudfront.ts';

/** The distribution of the templates, and what its behaviors refer to. */
export type EdgePlan = {
  arn: string;
  /** Its address on AWS, which is that of the API here. */
  url: string;
  functions: { arn: string; code: string; storeArn: string | undefined }[];
  /** In the order in which their patterns are tried. */
  behaviors: readonly Behavior[];
  /** The bucket of a behavior, and whether its origin signs requests. Undefined: the origin is no bucket. */
  bucketOf(behavior: Behavior): { name: string; isSigned: boolean } | undefined;
  /** The headers that the policy of a behavior adds to what an origin answers. */
  headersOf(behavior: Behavior): Record<string, string>;
};

/** Reads the distribution; undefined without one. */
export function edgePlan(found: Found): EdgePlan | undefined {
  const [edge] = found.all(distribution);
  if (edge === undefined) return undefined;
  const { CacheBehaviors, DefaultCacheBehavior, Origins } = edge.properties.DistributionConfig;
  const controls = found.all(originAccessControl).map(({ attribute }) => attribute('Id'));
  const policies = new Map(
    found.all(responseHeadersPolicy).map(({ ref, properties }) => [ref, properties.ResponseHeadersPolicyConfig]),
  );
  return {
    arn: `arn:${partition}:cloudfront::${account}:distribution/${edge.ref}`,
    url: `https://${edge.attribute('DomainName')}`,
    functions: found.all(edgeFunction).map(({ properties, attribute }) => ({
      arn: attribute('FunctionARN'),
      code: properties.FunctionCode,
      storeArn: properties.FunctionConfig.KeyValueStoreAssociations[0]?.KeyValueStoreARN,
    })),
    behaviors: [...CacheBehaviors, DefaultCacheBehavior],
    bucketOf: ({ TargetOriginId }) => {
      const origin = Origins.find(({ Id }) => Id === TargetOriginId);
      const [, name] = /^(.+)\.s3\.[a-z0-9-]+\.amazonaws\.com$/.exec(origin?.DomainName ?? '') ?? [];
      return name === undefined
        ? undefined
        : { name, isSigned: controls.includes(origin?.OriginAccessControlId ?? '') };
    },
    headersOf: ({ ResponseHeadersPolicyId = '' }) => {
      const { CorsConfig, SecurityHeadersConfig } = policies.get(ResponseHeadersPolicyId) ?? {};
      const contentSecurityPolicy = SecurityHeadersConfig?.ContentSecurityPolicy?.ContentSecurityPolicy;
      return {
        ...(CorsConfig && {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': CorsConfig.AccessControlExposeHeaders.Items.join(','),
        }),
        ...(contentSecurityPolicy && { 'content-security-policy': contentSecurityPolicy }),
        ...(SecurityHeadersConfig?.ContentTypeOptions && { 'x-content-type-options': 'nosniff' }),
      };
    },
  };
}
