import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { resourceKind } from '../resource-kind.ts';

const code = z.union([
  z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  z.strictObject({ ImageUri: z.string() }),
]);

/** Lambda's quota for all environment variables of a function: 4 KB, measured as JSON. */
const maxEnvironmentBytes = 4096;

const environmentVariables = z
  .record(z.string(), z.coerce.string())
  .refine((variables) => Buffer.byteLength(JSON.stringify(variables)) <= maxEnvironmentBytes, {
    error: ({ input }) =>
      `Lambda was unable to configure your environment variables because they have ` +
      `${Buffer.byteLength(JSON.stringify(input))} bytes; the limit is ${maxEnvironmentBytes}`,
  });

export const lambdaFunction = resourceKind({
  type: 'AWS::Lambda::Function',
  nameProperty: 'FunctionName',
  properties: z.strictObject({
    FunctionName: z.string().optional(),
    Code: code,
    PackageType: z.enum(['Zip', 'Image']).default('Zip'),
    Handler: z.string().optional(),
    Runtime: z.string().startsWith('nodejs', 'only Node.js functions run here').optional(),
    ImageConfig: z.strictObject({ Command: z.array(z.string()).length(1) }).optional(),
    Environment: z.strictObject({ Variables: environmentVariables }).optional(),
    EphemeralStorage: z.strictObject({ Size: z.int().min(512).max(10_240) }).default({ Size: 512 }),
    Timeout: z.int().min(1).max(900).default(3),
    MemorySize: z.int().min(128).max(10_240).default(128),
    ReservedConcurrentExecutions: z.int().min(0).optional(),
    RecursiveLoop: z.enum(['Allow', 'Terminate']).default('Terminate'),
    Role: z.string(),
    LoggingConfig: z.object({ LogGroup: z.string().optional() }).optional(),
    TracingConfig: z.strictObject({ Mode: z.enum(['Active', 'PassThrough']) }).optional(),
  }),
  ignored: {
    Architectures: 'a function runs on the processor of this machine',
  },
  attributes: { Arn: ({ name }) => arn('lambda', `function:${name}`) },
});

/** Lambda's defaults for asynchronous invocations: six hours, and two retries of a failed event. */
export const defaultInvokeConfig = { MaximumEventAgeInSeconds: 6 * 3600, MaximumRetryAttempts: 2 };

export const eventInvokeConfig = resourceKind({
  type: 'AWS::Lambda::EventInvokeConfig',
  properties: z.strictObject({
    FunctionName: z.string(),
    Qualifier: z.literal('$LATEST', 'functions have no versions here'),
    MaximumEventAgeInSeconds: z
      .int()
      .min(60)
      .max(6 * 3600)
      .default(defaultInvokeConfig.MaximumEventAgeInSeconds),
    MaximumRetryAttempts: z.int().min(0).max(2).default(defaultInvokeConfig.MaximumRetryAttempts),
  }),
});

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
