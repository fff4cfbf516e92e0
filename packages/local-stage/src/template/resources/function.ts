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
