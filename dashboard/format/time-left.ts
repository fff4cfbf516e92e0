/** What is left from one moment until another, as roughly as an estimate deserves: `about 2 min left`. */
export function formatTimeLeft(from: string, until: string): string {
  const seconds = (Date.parse(until) - Date.parse(from)) / 1000;
  if (seconds < 10) return 'a few seconds left';
  if (seconds < 55) return `about ${Math.round(seconds / 10) * 10} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${minutes} min left`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `about ${hours} h${rest === 0 ? '' : ` ${rest} min`} left`;
}
