import type { Logger } from '@smithy/types';
import { outageRetries, usualAttempts } from './outage-retries.ts';

const common = {
  // The SDK's own defaults. A setting that is not given is looked up in the environment and in files, and each one that
  // is not found costs an Error with its stack: 5 % of a cold start.
  defaultsMode: 'legacy' as const,
  maxAttempts: usualAttempts,
  retryMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  authSchemePreference: [],
  userAgentAppId: () => Promise.resolve(undefined),
  // The SDK passes every response to its default logger, field by field without secrets, although that logs nothing.
  logger: {} as Logger,
};

/** Settings of AWS clients with small requests. Timeouts in milliseconds. */
export const clientSettings = {
  ...common,
  // Each client that spreads these settings gets its own, which follows the outages of its service.
  get retryStrategy() {
    return outageRetries();
  },
  // Without these a lost packet blocks a request until the function ends; `requestTimeout` only warns.
  requestHandler: { connectionTimeout: 1_000, socketTimeout: 3_000 },
  // Builds the SDK's middleware stack once per command and not per call.
  cacheMiddleware: true,
};

/** Settings of the client that transfers files. A transfer may take long, but must not stall. */
export const transferSettings = {
  ...common,
  get retryStrategy() {
    return outageRetries();
  },
  requestHandler: { connectionTimeout: 2_000, socketTimeout: 20_000 },
  // S3 stores a CRC-64 with every upload. The SDK verifies it in JavaScript: 3 ms of CPU per megabyte, twice the
  // download itself.
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;
