import * as z from 'zod';
import { resourceKind } from '../resource-kind.ts';

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
