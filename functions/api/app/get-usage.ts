import { type getUsageContract, maxUsageDays, maxUsageJobs } from '../../../core/api/usage.ts';
import { type AppError, invalidRequest } from '../../../core/errors.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import { type UsageRecords, usageByDay } from '../../../core/jobs/usage.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

export type GetUsageDeps = { records: UsageRecords; clock: Clock };

const dayMs = 24 * 3_600_000;

/**
 * What the days asked for took, at most 31 of them. AppError VALIDATION_ERROR for more, or an end before the
 * beginning.
 */
export function getUsage({ records, clock }: GetUsageDeps): RouteApp<typeof getUsageContract> {
  return async ({ query, principal: { ownerId } }) => {
    const dates = datesOf(query, clock.now());
    const from = new Date(dates[0] ?? '');
    const until = new Date(from.getTime() + dates.length * dayMs);
    const { rows, truncated } = await records.read({ ownerId, from, until, limit: maxUsageJobs });
    return { status: 200, body: { days: usageByDay(dates, rows), truncated } };
  };
}

/** Every UTC day asked for, oldest first. Throws AppError VALIDATION_ERROR where there are none, or too many. */
function datesOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): string[] {
  const last = Date.parse(to ?? now.toISOString().slice(0, 10));
  const first = from === undefined ? last - (maxUsageDays - 1) * dayMs : Date.parse(from);
  const count = (last - first) / dayMs + 1;
  if (count < 1) throw refusal('must not be later than to');
  if (count > maxUsageDays) throw refusal(`must be at most ${maxUsageDays - 1} days before to`);
  return Array.from({ length: count }, (_, day) => new Date(first + day * dayMs).toISOString().slice(0, 10));
}

function refusal(message: string): AppError {
  return invalidRequest([{ path: 'query.from', message }]);
}
