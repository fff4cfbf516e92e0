import { limitsOf } from '../../../core/access/authentication.ts';
import type { OwnerLimits } from '../../../core/access/owner-limits.ts';
import type { OwnerUse } from '../../../core/access/owner-use.ts';
import type { getLimitsContract } from '../../../core/api/limits.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import type { UploadLedger } from '../../../core/uploads/ports.ts';
import { utcDay } from '../../../core/uploads/upload-day.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

export type GetLimitsDeps = {
  limits: OwnerLimits;
  use: OwnerUse;
  ledger: Pick<UploadLedger, 'bytesOn'>;
  clock: Pick<Clock, 'now'>;
};

/** Reads the limits of the caller, and what its owner uses of them. */
export function getLimits({ limits, use, ledger, clock }: GetLimitsDeps): RouteApp<typeof getLimitsContract> {
  return async ({ principal }) => {
    const { ownerId } = principal;
    const keyLimits: Partial<OwnerLimits> = limitsOf(principal);
    const lower = (limit: keyof OwnerLimits) => Math.min(limits[limit], keyLimits[limit] ?? limits[limit]);
    const maxCounted = limits.maxUnfinishedJobs;
    const [queued, running, uploadBytes] = await Promise.all([
      use.countJobs({ ownerId, states: ['queued'], maxCounted }),
      use.countJobs({ ownerId, states: ['processing'], maxCounted }),
      ledger.bytesOn(ownerId, utcDay(clock.now())),
    ]);
    const rows: [limit: keyof OwnerLimits, use: number | null][] = [
      ['maxUnfinishedJobs', queued + running],
      ['maxRunningJobs', running],
      ['maxUploadBytesPerDay', uploadBytes],
      ['maxRedeliveriesPerJob', null],
    ];
    const body = { limits: rows.map(([limit, used]) => ({ limit, value: lower(limit), use: used })) };
    return { status: 200, body };
  };
}
