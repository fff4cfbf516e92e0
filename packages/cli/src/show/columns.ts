/**
 * Aligns rows in columns with two spaces between them.
 *
 * @param minWidths minimum widths by column; the last column of a row is never padded
 */
export function columns(rows: readonly (readonly string[])[], minWidths: readonly number[] = []): string {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(minWidths[column] ?? 0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0))).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
