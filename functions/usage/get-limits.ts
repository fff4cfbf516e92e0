import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { limitsOf, type Principal } from '../../core/access/authentication.ts';
import type { SpendingLimits } from '../../core/access/key-record.ts';
import type { Tenancy } from '../../core/access/owner.ts';
import { type OwnerLimits, spendingCapsOf } from '../../core/access/owner-limits.ts';
import type { getLimitsContract } from '../../core/api/limits.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { countQueued, processingJobs, type UnfinishedJobsDeps } from '../../core/jobs/unfinished-jobs.ts';
import { readCapUses } from '../../core/spending/cap-use.ts';
import type { SpendingCounters } from '../../core/spending/spending-counter.ts';
import type { UploadLedger } from '../../core/uploads/ports.ts';
import { utcDay } from '../../core/uploads/upload-day.ts';

export type GetLimitsDeps = OwnerUseDeps & {
  tenancy: Tenancy;
  spending: SpendingCounters;
  clock: Pick<Clock, 'now'>;
  newJobId: (createdAt: Date) => string;
};

/** Reads the limits of the caller, and what its owner uses of them. On a stage of one team only a key has limits. */
export function getLimits(deps: GetLimitsDeps): RouteApp<typeof getLimitsContract> {
  const { limits, tenancy, clock } = deps;
  const ofOwner: Partial<OwnerLimits> = tenancy === 'multi' ? limits : {};
  return async ({ principal }) => {
    const ofKey: Partial<OwnerLimits> = limitsOf(principal);
    const now = clock.now();
    const [use, spending] = await Promise.all([
      readOwnerUse(deps, principal.ownerId, now),
      readSpending(deps, principal, now),
    ]);
    const rows = [
      { limit: 'maxUnfinishedJobs', use: use.unfinishedJobs },
      { limit: 'maxRunningJobs', use: use.runningJobs },
      { limit: 'maxUploadBytesPerDay', use: use.uploadBytesToday },
      { limit: 'maxRedeliveriesPerJob', use: null },
    ] as const;
    const counts = rows.flatMap((row) => {
      const values = [ofOwner[row.limit], ofKey[row.limit]].filter((value) => value !== undefined);
      return values.length === 0 ? [] : [{ ...row, value: Math.min(...values) }];
    });
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

type OwnerUseDeps = UnfinishedJobsDeps & {
  ledger: Pick<UploadLedger, 'bytesOn'>;
  limits: OwnerLimits;
};

/** Bounds the count of the queued jobs of an owner without a limit. */
const maxCounted = 100_000;

/** How much of its limits an owner uses. A count ends at its limit. */
export type OwnerUse = { unfinishedJobs: number; runningJobs: number; uploadBytesToday: number };

/** Reads the use of an owner. Queued jobs are counted by an index that may be seconds stale. */
async function readOwnerUse(
  { jobs, running, ledger, limits }: OwnerUseDeps,
  ownerId: string,
  now: Date,
): Promise<OwnerUse> {
  const limit = limits.maxUnfinishedJobs ?? maxCounted;
  const [queued, { length: runningJobs }, uploadBytesToday] = await Promise.all([
    countQueued({ jobs }, { ownerId, limit }),
    processingJobs({ jobs, running }, { ownerId }),
    ledger.bytesOn(ownerId, utcDay(now)),
  ]);
  return { unfinishedJobs: Math.min(limit, queued + runningJobs), runningJobs, uploadBytesToday };
}
