/** One change of a source file: the first `find` after `from` (the beginning, if left out) becomes `replace`. */
export type Edit = { file: string; from?: string; find: string; replace: string };

/** The service with one guard removed. */
export type Mutant = { name: string; edits: readonly Edit[] };

/** The text after the edit. @throws Error if the source no longer contains what the edit replaces */
export function applyEdit(text: string, { file, from = '', find, replace }: Edit): string {
  const start = text.indexOf(from);
  const at = start < 0 ? -1 : text.indexOf(find, start);
  if (at < 0) throw new Error(`${file} has no ${JSON.stringify(find)} after ${JSON.stringify(from)}`);
  return text.slice(0, at) + replace + text.slice(at + find.length);
}
