import * as z from 'zod';

/** A timestamp that the service writes: ISO 8601 in UTC with milliseconds. Such timestamps sort as text. */
export const timestampSchema = z.iso.datetime({ precision: 3 });

const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A timestamp that a caller sends: ISO 8601 with a time and any offset. None is after the year 9999 in UTC, which ISO 8601
 * writes with a sign and six digits.
 */
export const requestTimestampSchema = z.iso
  .datetime({
    offset: true,
    // A missing one is `Required`, as any other field.
    error: ({ input }) => (input === undefined ? undefined : offsetMessage(input)),
  })
  .refine((text) => !(Date.parse(text) > latestMs), 'Must not be after the year 9999 in UTC');

function offsetMessage(input: unknown): string {
  const message = 'Must be a time with an offset, such as 2026-03-01T12:00:00Z';
  // In a query, + is a blank.
  const hasBlankForPlus = typeof input === 'string' && /T\S+ \d\d:\d\d$/.test(input);
  return hasBlankForPlus ? `${message}; in a URL, write + as %2B` : message;
}
