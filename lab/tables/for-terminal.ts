/** A table of Markdown as a terminal shows it well: columns of one width, numbers to the right, no marks of emphasis. */
export function forTerminal(markdown: string): string {
  const [titles = [], alignment = [], ...rows] = markdown.split('\n').map(cellsOf);
  const lines = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  const written = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        alignment[column]?.endsWith(':') ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('   ')
      .trimEnd();
  return [written(titles), ...rows.map(written)].join('\n');
}

function cellsOf(line: string): string[] {
  return line
    .slice(2, -2)
    .split(' | ')
    .map((cell) => cell.replaceAll('**', ''));
}
