import type { Logger } from '@smithy/types';

/** What holds for every client of AWS. Times are in milliseconds. */
export const clientSettings = {
  maxAttempts: 4,
  // Without these a lost packet would hold a request until the function's own time-out.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 },
  // Puts the SDK's chain of middleware together once for each kind of call, not for each call.
  cacheMiddleware: true,
  // To the SDK's silent logger every item of every answer would be told, freed from secrets field by field.
  logger: {} as Logger,
};
