import * as z from 'zod';
import { invalidRequest } from '../errors.ts';
import { storageProviderIdPattern } from '../storage/storage-url.ts';

/** Each value at any depth, with its path behind a dot, and its depth. Iterative, because the depth is unbounded. */
export function* valuesIn(body: unknown): Iterable<[path: string, value: unknown, depth: number]> {
  const pending: [path: string, value: unknown, depth: number][] = [['', body, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    const [path, value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) pending.push([`${path}.${key}`, inner, depth + 1]);
  }
}

/** The smallest number of a request but 0, positive or negative. DynamoDB stores none below 1e-130. */
const minMagnitude = 1e-9;

/** The table stores 32 levels. Every request has fewer than these, and code that reads one calls itself for each level. */
const maxDepth = 24;

/**
 * Rejects JSON that the table does not store as it is, where a schema takes any value. Throws AppError VALIDATION_ERROR with the
 * first such value.
 */
export function assertStorable(body: unknown): void {
  for (const [path, value, depth] of valuesIn(body)) {
    const message = depth > maxDepth ? `Must not be nested in more than ${maxDepth} levels` : problemOf(value);
    if (message !== undefined) throw invalidRequest([{ path: path.slice(1) || 'body', message }]);
  }
}

/** The client of the table writes no number above the largest safe integer, and half of a surrogate pair as U+FFFD. */
function problemOf(value: unknown): string | undefined {
  if (typeof value === 'number') {
    const magnitude = Math.abs(value);
    if (magnitude === 0 || (magnitude >= minMagnitude && magnitude <= Number.MAX_SAFE_INTEGER)) return undefined;
    return `Must be 0, or have a magnitude from ${minMagnitude} to ${Number.MAX_SAFE_INTEGER}`;
  }
  const texts = typeof value === 'object' ? Object.keys(value ?? {}) : [String(value)];
  if (texts.every((text) => text.isWellFormed())) return undefined;
  return 'Must be valid Unicode, without half of a surrogate pair';
}

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
