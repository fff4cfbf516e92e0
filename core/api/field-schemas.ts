import * as z from 'zod';
import { storageProviderIdPattern } from '../storage/storage-url.ts';

/** A UUID that a caller sends. It may be in upper case (RFC 9562, section 4); the ids of records are in lower case. */
export function requestUuid(message?: string): z.ZodUUID {
  return z.uuid(message).toLowerCase();
}

export const storageProviderIdSchema = z
  .string()
  .regex(storageProviderIdPattern, 'Must be the id of a storage provider');

const message = 'Must be a whole number from 1 to 100';

/** The query parameter `limit` of a list: the most entries of a page. */
export const pageLimitSchema = z
  .string()
  .regex(/^\d{1,3}$/, message)
  .transform(Number)
  .pipe(z.int().min(1, message).max(100, message))
  .default(20);

/** A repeated query parameter. API Gateway joins the values by commas; a caller may do so too. */
export function listOf<Value extends z.ZodType<string, string>>(value: Value, { max = 100 } = {}) {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(value).min(1).max(max));
}
