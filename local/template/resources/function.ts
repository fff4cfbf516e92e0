import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { ignoreReasons, resourceKind } from '../resource-kind.ts';

const code = z.union([
  z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  z.strictObject({ ImageUri: z.string() }),
]);

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
    Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()) }).optional(),
    Timeout: z.int().min(1).max(900).default(3),
    MemorySize: z.int().min(128).max(10_240).default(128),
    ReservedConcurrentExecutions: z.int().min(0).optional(),
    Role: z.string(),
    LoggingConfig: z.object({ LogGroup: z.string().optional() }).optional(),
    TracingConfig: z.strictObject({ Mode: z.enum(['Active', 'PassThrough']) }).optional(),
  }),
  ignored: {
    Architectures: 'a function runs on the processor of this machine',
    Description: ignoreReasons.description,
    EphemeralStorage: 'limited by the disk of this machine',
    Tags: ignoreReasons.description,
  },
  ref: ({ name }) => name,
  attributes: { Arn: ({ name }) => arn('lambda', `function:${name}`) },
});
