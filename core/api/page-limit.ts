import * as z from 'zod';

const message = 'Must be a whole number from 1 to 100';

/** The query parameter `limit` of a list: the most entries of a page. */
export const pageLimitSchema = z
  .string()
  .regex(/^\d{1,3}$/, message)
  .transform(Number)
  .pipe(z.int().min(1, message).max(100, message))
  .default(20);
