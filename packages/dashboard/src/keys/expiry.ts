const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The lifetimes that a user can choose for a key. */
export const lifetimes = [
  { value: 'never', label: 'Never', ms: undefined },
  { value: 'hour', label: 'In one hour', ms: hourMs },
  { value: 'week', label: 'In 7 days', ms: 7 * dayMs },
  { value: 'month', label: 'In 30 days', ms: 30 * dayMs },
  { value: 'quarter', label: 'In 90 days', ms: 90 * dayMs },
  { value: 'day', label: 'After a day that you choose', ms: undefined },
] as const;

type Expiry = { lifetime: string /** `2026-03-01`, in the time zone of the user. */; day: string };

/** The chosen expiry in ISO 8601, undefined for never, `missing` if no valid day is chosen. */
export function toTimestamp({ lifetime, day }: Expiry, now: Date): string | undefined {
  if (lifetime === 'day') {
    const lastDay = new Date(`${day}T00:00:00`);
    if (Number.isNaN(lastDay.getTime())) return 'missing';
    lastDay.setDate(lastDay.getDate() + 1);
    return lastDay.toISOString();
  }
  const ms = lifetimes.find(({ value }) => value === lifetime)?.ms;
  return ms === undefined ? undefined : new Date(now.getTime() + ms).toISOString();
}
