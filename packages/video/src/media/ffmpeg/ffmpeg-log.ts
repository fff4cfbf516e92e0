/** Removes control characters. ffmpeg prints the tags of a file, and a hostile file may put terminal commands there. */
export function sanitizeLog(log: string): string {
  return log.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, '');
}

const levelPattern = /^(?:\[[^\]]*\] )*?\[(panic|fatal|error|warning|info|verbose|debug|trace)\]/;

/** The level of a line that ffmpeg wrote with `-loglevel level+…`. A line of a library's own logger has none. */
function levelOf(line: string): string | undefined {
  return levelPattern.exec(line)?.[1];
}

const errorLevels = ['panic', 'fatal', 'error'];

/**
 * The lines of a log that report errors: those of ffmpeg at its error levels, with `warning` at that level too, and those
 * without a level. Left out is all that quotes tags of a file: lines of level info, and indented lines, which continue them.
 */
export function diagnosticLines(log: string, level: 'error' | 'warning' = 'error'): string {
  const levels: readonly (string | undefined)[] = [undefined, level, ...errorLevels];
  return log
    .split('\n')
    .filter((line) => levels.includes(levelOf(line)) && !/^\s/.test(line))
    .join('\n');
}

/** ffmpeg's last error, for display: no control characters, no paths, at most 200 characters. */
export function lastErrorLine(log: string): string | undefined {
  const lines = log
    .split(/[\r\n]+/)
    .map(clean)
    .filter((line) => line !== '');
  const errors = lines.filter((line) => errorLevels.includes(levelOf(line) ?? ''));
  const line = (errors.length > 0 ? errors : lines).at(-1);
  return line?.replace(/^(\[[^\]]*\] ?)+/, '').slice(0, 200) || undefined;
}

function clean(line: string): string {
  return line
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/(?:\/[^\s/'":]+)+\/?/g, '<path>')
    .trim();
}
