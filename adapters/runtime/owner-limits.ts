import * as z from 'zod';
import { appliedLimitsSchema, type OwnerLimits } from '../../core/access/owner-limits.ts';
import { jsonText } from '../../core/json-text.ts';
import { readEnv } from './env.ts';

const ownerLimitsEnv = z.object({
  OWNER_LIMITS: jsonText(appliedLimitsSchema),
});

/** The stage's limits of each owner. */
export function readOwnerLimits(): OwnerLimits {
  return readEnv(ownerLimitsEnv).OWNER_LIMITS;
}
