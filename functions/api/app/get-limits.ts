import { limitsOf } from '../../../core/access/authentication.ts';
import type { OwnerLimits } from '../../../core/access/owner-limits.ts';
import type { getLimitsContract } from '../../../core/api/limits.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { type OwnerUseDeps, readOwnerUse } from './owner-use.ts';

export type GetLimitsDeps = OwnerUseDeps & { clock: Pick<Clock, 'now'> };

/** Reads the limits of the caller, and what its owner uses of them. */
export function getLimits(deps: GetLimitsDeps): RouteApp<typeof getLimitsContract> {
  const { limits, clock } = deps;
  return async ({ principal }) => {
    const keyLimits: Partial<OwnerLimits> = limitsOf(principal);
    const lower = (limit: keyof OwnerLimits) => Math.min(limits[limit], keyLimits[limit] ?? limits[limit]);
    const use = await readOwnerUse(deps, principal.ownerId, clock.now());
    const rows: [limit: keyof OwnerLimits, use: number | null][] = [
      ['maxUnfinishedJobs', use.unfinishedJobs],
      ['maxRunningJobs', use.runningJobs],
      ['maxUploadBytesPerDay', use.uploadBytesToday],
      ['maxRedeliveriesPerJob', null],
    ];
    const body = { limits: rows.map(([limit, used]) => ({ limit, value: lower(limit), use: used })) };
    return { status: 200, body };
  };
}
