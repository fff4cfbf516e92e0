const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** An ISO 8601 timestamp in the user's time zone and language. */
export function formatDateTime(timestamp: string): string {
  return dateTime.format(new Date(timestamp));
}

/** The time between two timestamps, rounded as an estimate: `about 2 min left`. */
export function formatTimeLeft(from: string, until: string): string {
  const seconds = (Date.parse(until) - Date.parse(from)) / 1000;
  if (seconds < 10) return 'a few seconds left';
  if (seconds < 55) return `about ${Math.round(seconds / 10) * 10} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${minutes} min left`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `about ${hours} h${rest === 0 ? '' : ` ${rest} min`} left`;
}
