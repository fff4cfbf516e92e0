import type * as z from 'zod';

/** Rejects half of a surrogate pair, which JSON can hold and UTF-8 cannot: it would be stored as U+FFFD. */
export function validUnicode(text: z.ZodString): z.ZodString {
  return text.refine((value) => value.isWellFormed(), 'Must be valid Unicode, without half of a surrogate pair');
}
