import * as z from 'zod';
import { type OwnerLimits, ownerLimitsSchema } from '../../core/access/owner-limits.ts';
import { readEnv } from './env.ts';

const ownerLimitsEnv = z.object({
  OWNER_LIMITS: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(ownerLimitsSchema),
});

/** The stage's limits of each owner. */
export function readOwnerLimits(): OwnerLimits {
  return readEnv(ownerLimitsEnv).OWNER_LIMITS;
}
