import { formatDollars, formatNumber } from '@media-jobs/cli/formatting';
import { expect, it } from 'vitest';
import { chartSummary } from '../../src/usage/chart-summary.ts';
import type { UsageDay } from '../../src/usage/usage-days.ts';

function aDay(date: string, completed: number, failed: number): UsageDay {
  const jobs = { queued: 0, processing: 0, completed, failed, rejected: 0, cancelled: 0 };
  return { date, jobs, mediaSeconds: 1, computeSeconds: 1, outputBytes: 1, usd: completed / 10 };
}

const days = [aDay('2026-11-01', 2, 0), aDay('2026-11-02', 3, 4), aDay('2026-11-03', 5, 1)];

it('the summary of a chart has the sum of each series that has one, and the highest stack', () => {
  const series = (['completed', 'failed', 'queued'] as const).map((name) => ({
    name,
    value: ({ jobs }: UsageDay) => jobs[name],
  }));
  expect(chartSummary(days, { series, format: formatNumber })).toMatch(
    /^completed: 10, failed: 5\. Highest on [^.]*2[^.]*: 7\./,
  );
});

it('the summary of a chart has the format of the chart', () => {
  const series = [{ name: 'Cost', value: ({ usd }: UsageDay) => usd }];
  expect(chartSummary(days, { series, format: formatDollars })).toMatch(
    /^Cost: \$1\.00\. Highest on [^.]*3[^.]*: \$0\.50\./,
  );
});

it('the summary of an empty chart says so', () => {
  const series = [{ name: 'Queued', value: () => 0 }];
  expect(chartSummary(days, { series, format: formatNumber })).toBe('No data.');
});
