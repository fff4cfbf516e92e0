/** A span of time for people: `4.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 59.95) return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  return joined(Math.floor(whole / 3600), 'h', Math.round((whole % 3600) / 60), 'min');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
