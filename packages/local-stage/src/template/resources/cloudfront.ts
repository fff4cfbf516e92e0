import * as z from 'zod';
import { account, partition } from '../../aws-names.ts';
import { resourceKind } from '../resource-kind.ts';

const arnOf = (kind: string) => (resource: { name: string }) =>
  `arn:${partition}:cloudfront::${account}:${kind}/${resource.name}`;

export const keyValueStore = resourceKind({
  type: 'AWS::CloudFront::KeyValueStore',
  nameProperty: 'Name',
  properties: z.strictObject({ Name: z.string() }),
  ignored: { Comment: 'a description' },
  attributes: { Arn: arnOf('key-value-store'), Id: ({ name }) => name },
});

/** CloudFront Developer Guide, "Quotas on CloudFront Functions". */
const maxFunctionBytes = 10 * 1024;

export const edgeFunction = resourceKind({
  type: 'AWS::CloudFront::Function',
  nameProperty: 'Name',
  properties: z.strictObject({
    Name: z.string(),
    AutoPublish: z.literal(true, 'only published functions run'),
    FunctionCode: z
      .string()
      .refine((code) => Buffer.byteLength(code) <= maxFunctionBytes, 'a CloudFront Function has at most 10 KB'),
    FunctionConfig: z.strictObject({
      Comment: z.string(),
      Runtime: z.literal('cloudfront-js-2.0', 'only runtime 2.0 runs here'),
      KeyValueStoreAssociations: z
        .array(z.strictObject({ KeyValueStoreARN: z.string() }))
        .max(1)
        .default([]),
    }),
  }),
  attributes: { FunctionARN: arnOf('function') },
});

export const originAccessControl = resourceKind({
  type: 'AWS::CloudFront::OriginAccessControl',
  properties: z.strictObject({
    OriginAccessControlConfig: z.object({ SigningBehavior: z.literal('always'), SigningProtocol: z.literal('sigv4') }),
  }),
  attributes: { Id: ({ name }) => name },
});

const items = z.strictObject({ Items: z.array(z.string()) });

export const responseHeadersPolicy = resourceKind({
  type: 'AWS::CloudFront::ResponseHeadersPolicy',
  properties: z.strictObject({
    ResponseHeadersPolicyConfig: z.strictObject({
      Name: z.string(),
      CorsConfig: z
        .strictObject({
          AccessControlAllowCredentials: z.literal(false),
          AccessControlAllowHeaders: items,
          AccessControlAllowMethods: items,
          AccessControlAllowOrigins: z.strictObject({ Items: z.tuple([z.literal('*')]) }),
          AccessControlExposeHeaders: items,
          OriginOverride: z.literal(true),
        })
        .optional(),
      SecurityHeadersConfig: z.strictObject({
        ContentSecurityPolicy: z.strictObject({ ContentSecurityPolicy: z.string(), Override: z.boolean() }).optional(),
        ContentTypeOptions: z.strictObject({ Override: z.boolean() }).optional(),
      }),
    }),
  }),
});

const behavior = z.object({
  PathPattern: z.string().default('*'),
  TargetOriginId: z.string(),
  AllowedMethods: z.array(z.string()).default(['GET', 'HEAD']),
  FunctionAssociations: z
    .array(z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() }))
    .max(1)
    .default([]),
  ResponseHeadersPolicyId: z.string().optional(),
});

export type Behavior = z.output<typeof behavior>;

const origin = z.object({
  Id: z.string(),
  DomainName: z.string(),
  OriginAccessControlId: z.string().optional(),
});

export const distribution = resourceKind({
  type: 'AWS::CloudFront::Distribution',
  properties: z.strictObject({
    DistributionConfig: z.object({
      CacheBehaviors: z.array(behavior).default([]),
      DefaultCacheBehavior: behavior,
      Origins: z.array(origin),
    }),
  }),
  attributes: { DomainName: ({ name }) => `${name}.cloudfront.net`, Id: ({ name }) => name },
});
