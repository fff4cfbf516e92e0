import { limitsOf, type Principal } from '../../../core/access/authentication.ts';
import type { OwnerLimits } from '../../../core/access/owner-limits.ts';
import { spendingCapsOf } from '../../../core/access/spending-cap.ts';
import type { SpendingLimits } from '../../../core/access/spending-limits.ts';
import type { getLimitsContract } from '../../../core/api/limits.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import type { SpendingCounters } from '../../../core/spending/spending-counter.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { readCapUses } from '../../spending/read-cap-uses.ts';
import { type OwnerUseDeps, readOwnerUse } from './owner-use.ts';

export type GetLimitsDeps = OwnerUseDeps & {
  spending: SpendingCounters;
  clock: Pick<Clock, 'now'>;
  newJobId: (createdAt: Date) => string;
};

type CountLimit = Exclude<keyof OwnerLimits, keyof SpendingLimits>;

/** Reads the limits of the caller, and what its owner uses of them. */
export function getLimits(deps: GetLimitsDeps): RouteApp<typeof getLimitsContract> {
  const { limits, clock } = deps;
  return async ({ principal }) => {
    const keyLimits: Partial<OwnerLimits> = limitsOf(principal);
    const lower = (limit: CountLimit) => Math.min(limits[limit], keyLimits[limit] ?? limits[limit]);
    const now = clock.now();
    const [use, spending] = await Promise.all([
      readOwnerUse(deps, principal.ownerId, now),
      readSpending(deps, principal, now),
    ]);
    const rows: [limit: CountLimit, use: number | null][] = [
      ['maxUnfinishedJobs', use.unfinishedJobs],
      ['maxRunningJobs', use.runningJobs],
      ['maxUploadBytesPerDay', use.uploadBytesToday],
      ['maxRedeliveriesPerJob', null],
    ];
    const counts = rows.map(([limit, used]) => ({ limit, value: lower(limit), use: used }));
    return { status: 200, body: { limits: [...counts, ...spending] } };
  };
}

/** The limits of spending, as for a job that is created now. Of several caps, the one that leaves the least. */
async function readSpending({ limits, spending, newJobId }: GetLimitsDeps, principal: Principal, now: Date) {
  const ref = { ownerId: principal.ownerId, jobId: newJobId(now) };
  const uses = await readCapUses(spending, ref, spendingCapsOf(limits, principal));
  const scarcest = (limit: keyof SpendingLimits) =>
    uses.filter((one) => one.limit === limit).sort((a, b) => a.value - a.use - (b.value - b.use))[0];
  return (['usdPerDay', 'usdPerMonth'] as const).flatMap((limit) => {
    const found = scarcest(limit);
    return found === undefined ? [] : [{ limit, value: found.value, use: found.use }];
  });
}
