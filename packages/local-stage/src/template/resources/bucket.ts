import * as z from 'zod';
import { region } from '../../aws-names.ts';
import { ignoreReasons, resourceKind } from '../resource-kind.ts';

const corsRule = z.strictObject({
  AllowedMethods: z.array(z.enum(['GET', 'PUT', 'POST', 'DELETE', 'HEAD'])),
  AllowedOrigins: z.array(z.string()),
  AllowedHeaders: z.array(z.string()).default([]),
  ExposedHeaders: z.array(z.string()).default([]),
  MaxAge: z.int().optional(),
  Id: z.string().optional(),
});

export type CorsRule = z.output<typeof corsRule>;

export const bucket = resourceKind({
  type: 'AWS::S3::Bucket',
  nameProperty: 'BucketName',
  properties: z.strictObject({
    BucketName: z.string().optional(),
    CorsConfiguration: z.strictObject({ CorsRules: z.array(corsRule) }).optional(),
    NotificationConfiguration: z
      .strictObject({ EventBridgeConfiguration: z.strictObject({ EventBridgeEnabled: z.boolean() }) })
      .optional(),
  }),
  ignored: {
    BucketEncryption: ignoreReasons.noEncryption,
    LifecycleConfiguration: 'files do not expire here; the job record has its own expiry time',
    LoggingConfiguration: ignoreReasons.singleLog,
    OwnershipControls: 'one account owns every object here',
    PublicAccessBlockConfiguration: 'unsigned requests are always rejected here',
  },
  attributes: {
    Arn: ({ name }) => `arn:aws:s3:::${name}`,
    DomainName: ({ name }) => `${name}.s3.amazonaws.com`,
    RegionalDomainName: ({ name }) => `${name}.s3.${region}.amazonaws.com`,
  },
});
