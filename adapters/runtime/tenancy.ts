import * as z from 'zod';
import { type Tenancy, tenancies } from '../../core/access/owner.ts';
import { readEnv } from './env.ts';

/** Who shares the stage. */
export function readTenancy(): Tenancy {
  return readEnv(z.object({ TENANCY: z.enum(tenancies) })).TENANCY;
}
