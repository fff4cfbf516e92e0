import * as z from 'zod';

/** A UUID that a caller sends. It may be in upper case (RFC 9562, section 4); the ids of records are in lower case. */
export function requestUuid(message?: string): z.ZodUUID {
  return z.uuid(message).toLowerCase();
}
