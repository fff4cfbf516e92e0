/** Removes control characters. ffmpeg prints the tags of a file, and a hostile file may put terminal commands there. */
export function sanitizeLog(log: string): string {
  return log.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, '');
}

/** ffmpeg's last error, for display: no control characters, no paths, at most 200 characters. */
export function lastErrorLine(log: string): string | undefined {
  const lines = log
    .split(/[\r\n]+/)
    .map(clean)
    .filter((line) => line !== '');
  const errors = lines.filter((line) => /^(\[[^\]]*\] )?\[(error|fatal|panic)\]/.test(line));
  const line = (errors.length > 0 ? errors : lines).at(-1);
  return line?.replace(/^(\[[^\]]*\] ?)+/, '').slice(0, 200) || undefined;
}

function clean(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/(?:\/[^\s/'":]+)+\/?/g, '<path>')
    .trim();
}
