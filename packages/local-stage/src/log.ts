/** Logs a line. `source` is such as `function media-jobs-local-submission` or `events`. */
export type Log = (source: string, line: string) => void;

/**
 * The cause in a line of the log that no caller of the API is told: a denied request, or an error that a function logged.
 * Undefined for other lines.
 */
export function hiddenCause(source: string, line: string): string | undefined {
  if (source === 'permissions') return line;
  if (!line.includes('"level":"ERROR"')) return undefined;
  const { message, error } = parsed(line);
  return [message, error?.name, error?.message].filter(Boolean).join(': ');
}

function parsed(line: string): { message?: string; error?: { name?: string; message?: string } } {
  try {
    return JSON.parse(line);
  } catch {
    return { message: line };
  }
}
