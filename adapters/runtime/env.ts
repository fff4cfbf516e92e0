import * as z from 'zod';
import { type Tenancy, tenancies } from '../../core/access/owner.ts';
import { appliedLimitsSchema, type OwnerLimits } from '../../core/access/owner-limits.ts';
import { issueMessage } from '../../core/api/issue-message.ts';
import { jsonText } from '../../core/json-text.ts';

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

const ownerLimitsEnv = z.object({ OWNER_LIMITS: jsonText(appliedLimitsSchema) });

export function readOwnerLimits(): OwnerLimits {
  return readEnv(ownerLimitsEnv).OWNER_LIMITS;
}

export function readTenancy(): Tenancy {
  return readEnv(z.object({ TENANCY: z.enum(tenancies) })).TENANCY;
}
