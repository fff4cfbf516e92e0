import { formatBytes, formatDollars, formatNumber } from './quantities.ts';

const titles: Readonly<Record<string, string>> = {
  maxUnfinishedJobs: 'Unfinished jobs',
  maxRunningJobs: 'Running jobs',
  maxUploadBytesPerDay: 'Uploads today (UTC)',
  maxRedeliveriesPerJob: 'Redeliveries of one job',
  usdPerDay: 'Cost of the jobs of today (UTC)',
  usdPerMonth: 'Cost of the jobs of this month (UTC)',
};

/** The title of a limit; a limit of a later version has its name. */
export function limitTitle(limit: string): string {
  return titles[limit] ?? limit;
}

/** A value of a limit: dollars, bytes in decimal units, or a count. */
export function formatLimit(limit: string, value: number): string {
  if (limit.startsWith('usd')) return formatDollars(value);
  return limit.includes('Bytes') ? formatBytes(value) : formatNumber(value);
}
