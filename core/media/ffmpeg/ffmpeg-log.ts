/** A log that is safe to show: the tags of a hostile file, which ffmpeg prints, may hold terminal commands. */
export function sanitizeLog(log: string): string {
  return log.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, '');
}

/** The last thing ffmpeg complained about, fit to be shown: no control characters, no paths, at most 200 characters. */
export function lastErrorLine(log: string): string | undefined {
  const lines = log
    .split(/[\r\n]+/)
    .map(clean)
    .filter((line) => line !== '');
  const complaints = lines.filter((line) => /^(\[[^\]]*\] )?\[(error|fatal|panic)\]/.test(line));
  const line = (complaints.length > 0 ? complaints : lines).at(-1);
  return line?.replace(/^(\[[^\]]*\] ?)+/, '').slice(0, 200) || undefined;
}

function clean(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/(?:\/[^\s/'":]+)+\/?/g, '<path>')
    .trim();
}
