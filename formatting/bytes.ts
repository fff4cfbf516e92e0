const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size for people, in units of 1,000: `12.4 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}
