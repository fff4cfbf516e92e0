/**
 * A table of Markdown.
 *
 * @param columns their titles; one that begins with `>` is set to the right
 */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map((column) => column.replace(/^>/, ''));
  const alignment = columns.map((column) => (column.startsWith('>') ? '--:' : '---'));
  return [titles, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Text of a cell: a bar would end it. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Joins the first cells of rows that are otherwise the same into one row, at the place of the first. */
export function joinSame(rows: readonly (readonly string[])[]): string[][] {
  const same = Map.groupBy(rows, ([, ...rest]) => JSON.stringify(rest));
  return [...same.values()].map((joined) => [
    joined.map(([first]) => first).join(', '),
    ...(joined[0]?.slice(1) ?? []),
  ]);
}
