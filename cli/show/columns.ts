/** Rows as columns two spaces apart; the last column, which may hold anything, has no width of its own. */
export function columns(rows: readonly (readonly string[])[], widths: readonly number[] = []): string {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const needed = Array.from({ length: count }, (_, column) =>
    Math.max(widths[column] ?? 0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : (needed[column] ?? 0))).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
