import * as z from 'zod';

/** A timestamp that the service writes: ISO 8601 in UTC with milliseconds. Such timestamps sort as text. */
export const timestampSchema = z.iso.datetime({ precision: 3 });

/** A timestamp that a caller sends: ISO 8601 with a time and any offset. */
export const requestTimestampSchema = z.iso.datetime({
  offset: true,
  error: 'Must be a time with an offset, such as 2026-03-01T12:00:00Z',
});
