import * as z from 'zod';

/** A moment as a caller names it: ISO 8601 with a time and an offset. */
export const requestTimestampSchema = z.iso.datetime({
  offset: true,
  error: 'must be a time with an offset, such as 2026-03-01T12:00:00Z',
});
