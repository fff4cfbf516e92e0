const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

const ageUnits = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3_600, unit: 'h' },
  { seconds: 60, unit: 'min' },
] as const;

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** Formats a number with at most one decimal: `12,400`, `0.5`. */
export function formatNumber(value: number): string {
  return grouped.format(value);
}

/** Formats a size in decimal units: `12.4 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)} ${byteUnits[unit]}`;
}

/** Formats a duration: `4.2 s`, `3 min 5 s`, `2 h 10 min`, `1,200 h`. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = `${formatNumber(large)} ${largeUnit}`;
  return small === 0 ? first : `${first} ${small} ${smallUnit}`;
}

/** Formats how long ago a timestamp was: `now`, `5 min`, `3 h`, `12 d`. */
export function formatAge(timestamp: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(timestamp)) / 1000);
  const step = ageUnits.find((unit) => seconds >= unit.seconds);
  return step === undefined ? 'now' : `${Math.floor(seconds / step.seconds)} ${step.unit}`;
}

const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const twoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** Formats US dollars: cents from ten cents on, and below that two significant digits: `$1,200.60`, `$0.00012`. */
export function formatDollars(value: number): string {
  return `$${value >= 0.0995 ? cents.format(value) : twoDigits.format(value)}`;
}

/** Formats US dollars for a column, with four decimals below a dollar: `$0.0012`, `<$0.0001`. */
export function formatDollarsInColumn(value: number): string {
  if (value === 0) return '$0';
  if (value >= 0.99995) return `$${cents.format(value)}`;
  return value < 0.0001 ? '<$0.0001' : `$${value.toFixed(4)}`;
}
