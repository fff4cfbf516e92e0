import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { ignoreReasons, resourceKind } from '../resource-kind.ts';

const keySchema = z
  .array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
  .min(1)
  .max(2);

const globalIndex = z.strictObject({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.strictObject({
    ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: z.array(z.string()).optional(),
  }),
});

export const table = resourceKind({
  type: 'AWS::DynamoDB::Table',
  nameProperty: 'TableName',
  properties: z.strictObject({
    TableName: z.string().optional(),
    KeySchema: keySchema,
    AttributeDefinitions: z.array(
      z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
    ),
    BillingMode: z.literal('PAY_PER_REQUEST'),
    GlobalSecondaryIndexes: z.array(globalIndex).optional(),
  }),
  ignored: {
    TimeToLiveSpecification: 'AWS may delete days later, so nothing may depend on it',
    PointInTimeRecoverySpecification: 'there are no backups here',
    DeletionProtectionEnabled: 'nothing here deletes a table',
    SSESpecification: ignoreReasons.noEncryption,
  },
  attributes: { Arn: ({ name }) => arn('dynamodb', `table/${name}`) },
});
