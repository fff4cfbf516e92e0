import type * as z from 'zod';
import { issueMessage } from '../../core/api/issue-message.ts';

/**
 * Parses the function's environment at its cold start. No other file reads it.
 * @throws Error that names every missing or invalid variable
 */
export function readEnv<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): z.output<z.ZodObject<Shape>> {
  const result = schema.safeParse(process.env, { error: issueMessage });
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`The environment variables of this function are invalid: ${problems.join('; ')}`);
}
