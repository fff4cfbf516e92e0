/** The size of an output relative to its input: `−62%`, or `+4%` if it grew; undefined for an empty input. */
export function formatSizeChange(inputBytes: number, outputBytes: number): string | undefined {
  if (inputBytes <= 0) return undefined;
  const percent = Math.round((outputBytes / inputBytes - 1) * 100);
  if (percent === 0) return '0%';
  return percent < 0 ? `−${-percent}%` : `+${percent}%`;
}
