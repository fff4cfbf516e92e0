import * as z from 'zod';

/** A text that is JSON, parsed and then validated by a schema. Text that is not JSON is an issue like any other. */
export function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('Must be JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
}
