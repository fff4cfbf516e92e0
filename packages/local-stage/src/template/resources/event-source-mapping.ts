import * as z from 'zod';
import { resourceKind } from '../resource-kind.ts';

export const eventSourceMapping = resourceKind({
  type: 'AWS::Lambda::EventSourceMapping',
  properties: z.strictObject({
    EventSourceArn: z.string().regex(/^arn:[^:]+:sqs:/, 'only SQS queues are event sources here'),
    FunctionName: z.string(),
    // A batch of more than ten messages requires a batching window.
    BatchSize: z.int().min(1).max(10, 'at most 10 here').default(10),
    MaximumBatchingWindowInSeconds: z.literal(0, 'no batching window here').optional(),
    FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
    ScalingConfig: z.strictObject({ MaximumConcurrency: z.int().min(2).max(1000).optional() }).optional(),
    ProvisionedPollerConfig: z
      .strictObject({ MinimumPollers: z.int().min(2).max(200), MaximumPollers: z.int().min(2).max(2000) })
      .optional(),
    Enabled: z.boolean().default(true),
  }),
  ignored: { MetricsConfig: 'there are no metrics here' },
  attributes: { Id: ({ name }) => name },
});
