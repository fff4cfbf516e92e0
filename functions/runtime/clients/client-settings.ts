import type { Logger } from '@smithy/types';

const common = {
  maxAttempts: 4,
  // To the SDK's silent logger every item of every answer would be told, freed from secrets field by field.
  logger: {} as Logger,
};

/** What holds for every client of AWS whose calls are small. Times are in milliseconds. */
export const clientSettings = {
  ...common,
  // Without these a lost packet would hold a request until the function ends; `requestTimeout` only warns.
  requestHandler: { connectionTimeout: 1_000, socketTimeout: 3_000 },
  // Puts the SDK's chain of middleware together once for each kind of call, not for each call.
  cacheMiddleware: true,
};

/** What holds for a client that carries files: they take as long as they take, but never stand still. */
export const transferSettings = {
  ...common,
  requestHandler: { connectionTimeout: 2_000, socketTimeout: 20_000 },
  // S3 gives every upload a CRC-64, and the SDK would check it in JavaScript: 3 ms of CPU a megabyte, twice what the
  // download takes.
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;
