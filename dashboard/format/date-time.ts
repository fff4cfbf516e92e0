const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment in the user's own time zone and language. */
export function formatDateTime(instant: string): string {
  return full.format(new Date(instant));
}
