import * as z from 'zod';
import { account, arn } from '../../aws-names.ts';
import { ignoreReasons, type LocalResource, resourceKind } from '../resource-kind.ts';

const url = ({ name, endpoints }: LocalResource) => `${endpoints.sqs}/${account}/${name}`;

export const queue = resourceKind({
  type: 'AWS::SQS::Queue',
  nameProperty: 'QueueName',
  properties: z.strictObject({
    QueueName: z.string().optional(),
    VisibilityTimeout: z.int().min(0).max(43_200).optional(),
    MessageRetentionPeriod: z.int().optional(),
    ReceiveMessageWaitTimeSeconds: z.int().optional(),
    DelaySeconds: z.int().optional(),
    MaximumMessageSize: z.int().optional(),
    FifoQueue: z.boolean().optional(),
    ContentBasedDeduplication: z.boolean().optional(),
    RedrivePolicy: z
      .strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.coerce.number().int() })
      .optional(),
  }),
  ignored: {
    KmsMasterKeyId: ignoreReasons.noEncryption,
    SqsManagedSseEnabled: ignoreReasons.noEncryption,
    DeduplicationScope: 'messages are compared within the whole queue here, and no two groups get the same one',
    FifoThroughputLimit: 'requests are not throttled here',
    RedriveAllowPolicy: 'every queue here belongs to one template',
  },
  ref: url,
  attributes: { Arn: ({ name }) => arn('sqs', name), QueueName: ({ name }) => name, QueueUrl: url },
});
