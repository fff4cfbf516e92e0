/**
 * Replaces the tables of a document, each of which stands between `<!-- table: name -->` and `<!-- end -->`.
 *
 * @throws Error where the document lacks one of the tables, or has one that is not known
 */
export function fillTables(document: string, tables: Readonly<Record<string, string>>): string {
  const filled = new Set<string>();
  const result = document.replace(
    /(<!-- table: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const content = tables[name];
      if (content === undefined) throw new Error(`Nothing makes the table "${name}".`);
      filled.add(name);
      return `${begin}\n${content}\n\n${end}`;
    },
  );
  const missing = Object.keys(tables).filter((name) => !filled.has(name));
  if (missing.length > 0) throw new Error(`The document has no place for ${missing.join(', ')}.`);
  return result;
}
