import type * as z from 'zod';

/**
 * The function's environment, checked once at its cold start. This is the only file that reads it.
 * @throws an error that names every variable that is missing or wrong
 */
export function readEnv<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const result = schema.safeParse(process.env);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment of this function is not complete: ${problems.join('; ')}`);
}
