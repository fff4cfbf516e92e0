import { expect, it } from 'vitest';
import { monthForecast, type UsageDay, weeklyDates } from '../../src/usage/usage-days.ts';

const jobs = { queued: 0, processing: 0, completed: 1, failed: 0, rejected: 0, cancelled: 0 };

/** The 31 days until a day, each with its dollars. */
function daysUntil(date: string, usdOf: (date: string) => number): UsageDay[] {
  return Array.from({ length: 31 }, (_, index) => {
    const day = new Date(Date.parse(date) - (30 - index) * 86_400_000).toISOString().slice(0, 10);
    return { date: day, jobs, mediaSeconds: 1, computeSeconds: 1, outputBytes: 1, usd: usdOf(day) };
  });
}

it('the forecast of a month is what is spent and the mean of the last week for the days that are left', () => {
  const days = daysUntil('2026-11-20', (date) => (date < '2026-11-01' ? 100 : 2));
  expect(monthForecast(days)).toBe(20 * 2 + 10 * 2);
});

it('the forecast on the first day of a month takes the week before', () => {
  const days = daysUntil('2026-03-01', (date) => (date === '2026-03-01' ? 0.5 : 1));
  expect(monthForecast(days)).toBe(0.5 + 30);
});

it('the forecast of the last day is what is spent', () => {
  const days = daysUntil('2026-02-28', () => 1);
  expect(monthForecast(days)).toBe(28);
});

it('the dates of an axis are a week apart and end with today', () => {
  const dates = weeklyDates(daysUntil('2026-11-27', () => 0));
  expect(dates).toEqual(['2026-10-30', '2026-11-06', '2026-11-13', '2026-11-20', '2026-11-27']);
});
