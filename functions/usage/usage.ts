import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import { limitsOf, type Principal } from '../../core/access/authentication.ts';
import type { SpendingLimits } from '../../core/access/key-record.ts';
import type { Tenancy } from '../../core/access/owner.ts';
import { type OwnerLimits, spendingCapsOf } from '../../core/access/owner-limits.ts';
import {
  type getLimitsContract,
  type getUsageContract,
  maxUnfinishedUsage,
  maxUsageDays,
} from '../../core/api/usage.ts';
import { type AppError, invalidRequest } from '../../core/errors.ts';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { countQueued, processingJobs, queuedIds, type UnfinishedJobsDeps } from '../../core/jobs/unfinished-jobs.ts';
import {
  dimensionsOf,
  totalsOfJob,
  type UsageGrouping,
  type UsageTotals,
  usageByDay,
  usageDimensions,
} from '../../core/jobs/usage.ts';
import { type UsageRecords, uncountedTotals } from '../../core/jobs/usage-counter.ts';
import { readCapUses } from '../../core/spending/cap-use.ts';
import type { SpendingCounters } from '../../core/spending/spending-counter.ts';
import type { UploadLedger } from '../../core/uploads/upload.ts';
import { utcDay } from '../../core/uploads/upload-day.ts';

export type GetUsageDeps = UnfinishedJobsDeps & { jobs: Pick<JobTable, 'list'>; records: UsageRecords; clock: Clock };

/** A page of records is read whole; DynamoDB returns at most 1 MB at once. */
const jobsPerPage = 1_000;

const dayMs = 24 * 3_600_000;

/** A job is counted about a second after its end, so a few of the newest ended jobs have no counter yet. */
const maxUncounted = 20;

/** Reads the usage of each day of a period: counters of ended jobs, and the unfinished ones themselves. */
export function getUsage({ records, clock, ...deps }: GetUsageDeps): RouteApp<typeof getUsageContract> {
  return async ({ query, principal: { ownerId } }) => {
    const dates = datesOf(query, clock.now());
    const from = new Date(dates[0] ?? '');
    const until = new Date(from.getTime() + dates.length * dayMs);
    const range = { ownerId, from: minJobIdAt(from), before: minJobIdAt(until) };
    const [ended, queued, processing] = await Promise.all([
      endedTotals(records, { ownerId, dates, from, until }),
      queuedIds(deps, { ...range, limit: maxUnfinishedUsage + 1 }),
      processingJobs(deps, range),
    ]);
    const counted = queued.slice(0, maxUnfinishedUsage).map((jobId) => ({ state: 'queued' as const, jobId }));
    const { by } = query;
    const grouping = by?.startsWith(metadataPrefix)
      ? await groupByMetadata(deps, { ownerId, from, until, key: by.slice(metadataPrefix.length) })
      : groupByCounter(ended.totals, by);
    const truncated = ended.truncated || counted.length < queued.length || grouping?.truncated === true;
    const days = usageByDay(dates, ended.totals, [...counted, ...processing], grouping);
    return { status: 200, body: { days, truncated } };
  };
}

type Grouping = UsageGrouping & { truncated?: boolean };

function groupByCounter(totals: readonly UsageTotals[], by: string | undefined): Grouping | undefined {
  if (by === undefined) return undefined;
  const dimensions = usageDimensions.filter((dimension) => by.split(',').includes(dimension));
  return { totals, of: ({ group }) => dimensionsOf(group, dimensions) };
}

const metadataPrefix = 'metadata.';

/** Jobs have any number of metadata values, so no counter has them: reads the records of the newest jobs. */
async function groupByMetadata(
  { jobs }: Pick<GetUsageDeps, 'jobs'>,
  { ownerId, from, until, key }: { ownerId: string; from: Date; until: Date; key: string },
): Promise<Grouping> {
  const totals: UsageTotals[] = [];
  let read = 0;
  let afterJobId: string | undefined;
  do {
    const limit = Math.min(jobsPerPage, maxUnfinishedUsage - read);
    const page = await jobs.list({ ownerId, limit, afterJobId, createdAfter: from, createdBefore: until });
    for (const job of page.jobs) {
      const { metadata = {} } = job.request;
      const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      if (isTerminal(job)) totals.push({ ...totalsOfJob(job), value });
    }
    read += page.jobs.length;
    afterJobId = page.lastJobId;
  } while (afterJobId !== undefined && read < maxUnfinishedUsage);
  return { totals, of: ({ value = null }) => ({ value }), truncated: afterJobId !== undefined };
}

/** The totals of ended jobs: those of the counters, and of newest jobs that are not counted yet. */
async function endedTotals(
  records: UsageRecords,
  { dates, ...period }: { ownerId: string; dates: readonly string[]; from: Date; until: Date },
): Promise<{ totals: UsageTotals[]; truncated: boolean }> {
  // Before the counters: a job that is counted in between is in both reads, and `uncountedTotals` drops it. In the other
  // order it would be in neither.
  const uncounted = await records.uncounted({ ...period, limit: maxUncounted });
  const { ownerId } = period;
  const range = { ownerId, firstDate: dates[0] ?? '', lastDate: dates.at(-1) ?? '' };
  const { totals, truncated } = await records.totals(range);
  return { totals: [...totals, ...uncountedTotals(uncounted, totals)], truncated };
}

/** The UTC days of the period, oldest first. Throws AppError VALIDATION_ERROR if it is empty or too long. */
function datesOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): string[] {
  const last = Date.parse(to ?? now.toISOString().slice(0, 10));
  const first = from === undefined ? last - (maxUsageDays - 1) * dayMs : Date.parse(from);
  const count = (last - first) / dayMs + 1;
  if (count < 1) throw invalidFrom('must not be later than to');
  if (count > maxUsageDays) throw invalidFrom(`must be at most ${maxUsageDays - 1} days before to`);
  return Array.from({ length: count }, (_, day) => new Date(first + day * dayMs).toISOString().slice(0, 10));
}

function invalidFrom(message: string): AppError {
  return invalidRequest([{ path: 'query.from', message }]);
}

type GetLimitsDeps = OwnerUseDeps & {
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

type OwnerUseDeps = UnfinishedJobsDeps & { ledger: Pick<UploadLedger, 'bytesOn'>; limits: OwnerLimits };

/** Bounds the count of the queued jobs of an owner without a limit. */
const maxCounted = 100_000;

/** How much of its limits an owner uses. A count ends at its limit. */
type OwnerUse = { unfinishedJobs: number; runningJobs: number; uploadBytesToday: number };

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
