import { LambdaClient } from '@aws-sdk/client-lambda';
import { clientSettings } from './client-settings.ts';

/** The Lambda client of a function. An invocation may wait for the start of a sandbox. */
export const lambda = new LambdaClient({
  ...clientSettings,
  requestHandler: { connectionTimeout: 1_000, socketTimeout: 35_000 },
});
