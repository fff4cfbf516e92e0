import * as z from 'zod';
import { account, arn, partition } from '../../aws-names.ts';
import { policyDocument, trustDocument } from '../../permissions/iam/policies.ts';
import { resourceKind } from '../resource-kind.ts';

export const role = resourceKind({
  type: 'AWS::IAM::Role',
  nameProperty: 'RoleName',
  properties: z.strictObject({
    RoleName: z.string().optional(),
    AssumeRolePolicyDocument: trustDocument.optional(),
    Policies: z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: policyDocument })).default([]),
  }),
  attributes: { Arn: ({ name }) => `arn:${partition}:iam::${account}:role/${name}` },
});

export const rolePolicy = resourceKind({
  type: 'AWS::IAM::Policy',
  nameProperty: 'PolicyName',
  properties: z.strictObject({
    PolicyName: z.string(),
    PolicyDocument: policyDocument,
    Roles: z.array(z.string()).min(1),
  }),
});

/** CDK writes one with what the inline policy of a role has no room for. */
export const managedPolicy = resourceKind({
  type: 'AWS::IAM::ManagedPolicy',
  properties: z.strictObject({ PolicyDocument: policyDocument, Roles: z.array(z.string()).min(1) }),
  ignored: { Description: 'for readers', Path: 'names no policy here' },
});

export const bucketPolicy = resourceKind({
  type: 'AWS::S3::BucketPolicy',
  properties: z.strictObject({ Bucket: z.string(), PolicyDocument: policyDocument }),
});

export const queuePolicy = resourceKind({
  type: 'AWS::SQS::QueuePolicy',
  properties: z.strictObject({ Queues: z.array(z.string()).min(1), PolicyDocument: policyDocument }),
});

export const functionPermission = resourceKind({
  type: 'AWS::Lambda::Permission',
  properties: z.strictObject({
    Action: z.string(),
    FunctionName: z.string(),
    Principal: z.string(),
    SourceArn: z.string().optional(),
  }),
});

/** Named in the policies of those who write to it; what they log goes to one place here. */
export const logGroup = resourceKind({
  type: 'AWS::Logs::LogGroup',
  nameProperty: 'LogGroupName',
  properties: z.strictObject({ LogGroupName: z.string().optional() }),
  ignored: {
    RetentionInDays: 'logs of the local stage are not kept',
  },
  attributes: { Arn: ({ name }) => `${arn('logs', `log-group:${name}`)}:*` },
});
