import * as z from 'zod';

/** A repeated query parameter with some of these values. API Gateway joins them by commas; a caller may do so too. */
export function listOf<const Values extends readonly string[]>(values: Values) {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)).min(1));
}
